#include "learn/loss/pair_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "learn/nn/nonneg.h"
#include "tests/learn/loss/oracle.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

at::Tensor random_rows(int64_t rows, int64_t dims, uint64_t seed) {
  at::manual_seed(seed);
  return at::randn({rows, dims});
}

at::Tensor log_scale_of(double scale) { return at::full({1}, std::log(scale), at::kFloat); }

struct Slopes {
  double value;
  at::Tensor a;
  at::Tensor b;
  at::Tensor log_scale;
};

Slopes slopes_of(const at::Tensor& za, const at::Tensor& zb, double scale, const PairLossOptions& options = {}) {
  const at::Tensor a = za.detach().clone().requires_grad_(true);
  const at::Tensor b = zb.detach().clone().requires_grad_(true);
  const at::Tensor log_scale = log_scale_of(scale).requires_grad_(true);
  const PairLossResult result = pair_loss(a, b, log_scale, options);
  result.loss.backward();
  return {result.value, a.grad(), b.grad(), log_scale.grad()};
}

double relative_error(const at::Tensor& actual, const at::Tensor& expected) {
  return ((actual.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
}

// Value and gradients of the fused loss against the dense one in float64, all from the same float32 numbers.
void expect_dense(const at::Tensor& za, const at::Tensor& zb, double scale, const PairLossOptions& options = {}) {
  const at::Tensor a = za.detach().to(at::kDouble).requires_grad_(true);
  const at::Tensor b = zb.detach().to(at::kDouble).requires_grad_(true);
  const at::Tensor log_scale = log_scale_of(scale).to(at::kDouble).requires_grad_(true);
  const bool info_nce = options.name == "infonce";
  const at::Tensor dense = info_nce ? test::dense_pair_info_nce(a, b, log_scale) : test::dense_pair_spectral(a, b);
  dense.backward();
  const std::string where = options.name + " " + std::to_string(za.size(0)) + " x " + std::to_string(za.size(1)) +
                            ", scale " + std::to_string(scale);
  const Slopes fused = slopes_of(za, zb, scale, options);
  const double expected = dense.item<double>();
  EXPECT_NEAR(fused.value, expected, 1e-5 * std::abs(expected)) << where;
  EXPECT_LE(relative_error(fused.a, a.grad()), 2e-5) << where;
  EXPECT_LE(relative_error(fused.b, b.grad()), 2e-5) << where;
  if (info_nce) {
    const double slope = log_scale.grad().item<double>();
    EXPECT_NEAR(fused.log_scale.item<double>(), slope, 2e-5 * std::max(1.0, std::abs(slope))) << where;
  } else {
    EXPECT_EQ(fused.log_scale.item<double>(), 0) << where;
  }
}

TEST(PairInfoNce, AgreesWithTheDenseFormula) {
  uint64_t seed = 1;
  for (const int64_t items : {2, 5, 33, 150, 301, 700}) {
    for (const double scale : {1.0, 14.3, 100.0}) {
      const int64_t dims = 3 + static_cast<int64_t>(seed * 7 % 60);
      const at::Tensor za = random_rows(items, dims, seed++);
      expect_dense(za, za + random_rows(items, dims, seed++), scale);
    }
  }
}

TEST(PairInfoNce, AgreesWithTheDenseFormulaOnSparseRows) {
  at::Tensor za = at::relu(random_rows(300, 40, 3) - 1);
  at::Tensor zb = at::relu(za + random_rows(300, 40, 4) - 1);
  za[3].zero_();
  zb[3].zero_();
  zb[260].zero_();
  for (const double scale : {5.0, 20.0}) expect_dense(za, zb, scale);
  EXPECT_GE(pair_loss(za, zb, log_scale_of(5)).zero_rows, 3);
}

TEST(PairInfoNce, AgreesWithTheDenseFormulaWhereTheLossIsTiny) {
  const at::Tensor za = at::eye(20) + 0.05 * random_rows(20, 20, 9);
  const at::Tensor zb = at::eye(20) + 0.05 * random_rows(20, 20, 10);
  for (const double scale : {20.0, 50.0}) expect_dense(za, zb, scale);
  EXPECT_LT(pair_loss(za, zb, log_scale_of(50)).value, 1e-10);
}

TEST(PairInfoNce, ByHandForTwoPairs) {
  // Cosines 1, 0 / 0.6, 0.8: rows give log(1 + e^-2) and log(1 + e^-0.4), columns log(1 + e^-0.8) and log(1 + e^-1.6).
  const at::Tensor za = at::tensor({3.0f, 0.0f, 0.6f, 0.8f}).view({2, 2});
  const at::Tensor zb = at::tensor({1.0f, 0.0f, 0.0f, 7.0f}).view({2, 2});
  double expected = 0;
  for (const double gap : {-2.0, -0.4, -0.8, -1.6}) expected += std::log1p(std::exp(gap)) / 4;
  EXPECT_NEAR(pair_loss(za, zb, log_scale_of(2)).value, expected, 1e-6);
  EXPECT_NEAR(pair_loss(za, zb, log_scale_of(2)).positive_cosine, 0.9, 1e-6);
  EXPECT_NEAR(pair_loss(za, zb, log_scale_of(2)).negative_cosine, 0.3, 1e-6);
  EXPECT_NEAR(pair_loss(za, zb, log_scale_of(2)).scale, 2, 1e-6);
}

TEST(PairInfoNce, OfZeroRowsIsThatOfChanceAndHasNoGradient) {
  const at::Tensor z = at::zeros({31, 9});
  const Slopes slopes = slopes_of(z, z, 14);
  EXPECT_NEAR(slopes.value, std::log(31.0), 1e-6);
  EXPECT_TRUE(at::equal(slopes.a, z));
  EXPECT_TRUE(at::equal(slopes.b, z));
  EXPECT_EQ(slopes.log_scale.item<float>(), 0);
  EXPECT_EQ(pair_loss(z, z, log_scale_of(14)).zero_rows, 62);
}

TEST(PairInfoNce, IsStableAtAnyScale) {
  const at::Tensor za = random_rows(80, 6, 5);
  const at::Tensor zb = random_rows(80, 6, 6);
  for (const double scale : {1e-4, 1.0, 1e3, 1e4}) {
    const Slopes slopes = slopes_of(za, zb, scale);
    EXPECT_TRUE(std::isfinite(slopes.value)) << scale;
    EXPECT_TRUE(slopes.a.isfinite().all().item<bool>()) << scale;
    EXPECT_TRUE(slopes.log_scale.isfinite().all().item<bool>()) << scale;
  }
}

TEST(PairSpectral, AgreesWithTheDenseFormula) {
  uint64_t seed = 100;
  for (const int64_t items : {2, 33, 150}) {
    for (const int64_t dims : {1, 20, 140, 300}) {
      const at::Tensor za = 0.3 * random_rows(items, dims, seed++);
      expect_dense(za, za + 0.3 * random_rows(items, dims, seed++), 1, {.name = "spectral"});
    }
  }
}

TEST(PairSpectral, IsUnbiasedForThePopulationsLoss) {
  // Two latent classes, two items of either tower for each: the mean over all batches of two pairs, drawn
  // independently, is -2 E_P(v,l) a.b + E_P(v)P(l) (a.b)^2.
  const at::Tensor a = random_rows(4, 3, 7);
  const at::Tensor b = random_rows(4, 3, 8);
  std::vector<std::pair<int64_t, int64_t>> joint;  // equally likely: items of one class
  for (int64_t v = 0; v < 4; ++v) {
    for (int64_t l = 0; l < 4; ++l) {
      if (v / 2 == l / 2) joint.emplace_back(v, l);
    }
  }
  double mean = 0;
  double population = 0;
  for (const auto& [v, l] : joint) {
    population -= 2 * a[v].dot(b[l]).item<double>() / 8;
    for (const auto& [w, m] : joint) {
      mean += pair_loss(at::stack({a[v], a[w]}), at::stack({b[l], b[m]}), log_scale_of(1), {.name = "spectral"}).value;
    }
  }
  for (int64_t v = 0; v < 4; ++v) {
    for (int64_t l = 0; l < 4; ++l) population += std::pow(a[v].dot(b[l]).item<double>(), 2) / 16;
  }
  EXPECT_NEAR(mean / 64, population, 1e-5 * std::abs(population));
}

TEST(PairLosses, AreTheSameWithTheTowersSwapped) {
  const at::Tensor za = random_rows(70, 9, 20);
  const at::Tensor zb = za + random_rows(70, 9, 21);
  for (const std::string name : {"infonce", "spectral"}) {
    const Slopes one = slopes_of(za, zb, 10, {.name = name});
    const Slopes other = slopes_of(zb, za, 10, {.name = name});
    EXPECT_NEAR(one.value, other.value, 1e-6 * std::abs(one.value)) << name;
    EXPECT_TRUE(at::allclose(one.a, other.b, 1e-4, 1e-6)) << name;
    EXPECT_TRUE(at::allclose(one.log_scale, other.log_scale, 1e-4, 1e-6)) << name;
  }
}

TEST(PairLosses, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor raw = random_rows(24, 6, 14);
  for (const std::string name : {"infonce", "spectral"}) {
    for (const std::string activation : {"none", "softplus"}) {
      const auto loss = [&](const at::Tensor& rows, const at::Tensor& log_scale) {
        const at::Tensor z = nonneg(rows, {.name = activation});
        return pair_loss(z.narrow(0, 0, 12), z.narrow(0, 12, 12), log_scale, {.name = name});
      };
      const at::Tensor leaf = raw.clone().requires_grad_(true);
      const at::Tensor start = log_scale_of(4);
      loss(leaf, start).loss.backward();
      const at::Tensor direction = random_rows(24, 6, 50) + leaf.grad() / leaf.grad().norm() * 10;
      const at::Tensor step = direction / direction.norm() * 0.02;
      const double slope = loss(raw + step, start).value - loss(raw - step, start).value;
      const double expected = 2 * (leaf.grad() * step).sum().item<double>();
      EXPECT_NEAR(slope, expected, 3e-3 * std::abs(expected)) << name << " " << activation;
    }
  }
  const at::Tensor za = raw.narrow(0, 0, 12);
  const at::Tensor zb = raw.narrow(0, 12, 12);
  const double slope =
      pair_loss(za, zb, log_scale_of(4) + 0.01).value - pair_loss(za, zb, log_scale_of(4) - 0.01).value;
  EXPECT_NEAR(slopes_of(za, zb, 4).log_scale.item<double>(), slope / 0.02, 1e-3 * std::abs(slope / 0.02));
}

TEST(PairLosses, AreTheSameBitsForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  const at::Tensor za = random_rows(501, 37, 30);
  const at::Tensor zb = random_rows(501, 37, 31);
  for (const std::string name : {"infonce", "spectral"}) {
    at::set_num_threads(1);
    const Slopes alone = slopes_of(za, zb, 10, {.name = name});
    for (const int threads : {2, 3}) {
      at::set_num_threads(threads);
      const Slopes together = slopes_of(za, zb, 10, {.name = name});
      EXPECT_EQ(together.value, alone.value) << name;
      EXPECT_TRUE(at::equal(together.a, alone.a)) << name;
      EXPECT_TRUE(at::equal(together.b, alone.b)) << name;
      EXPECT_TRUE(at::equal(together.log_scale, alone.log_scale)) << name;
    }
  }
  at::set_num_threads(before);
}

TEST(PairLosses, LeaveATowerAloneThatLearnsNothing) {
  const at::Tensor za = random_rows(20, 5, 16);
  const at::Tensor zb = random_rows(20, 5, 17).requires_grad_(true);
  const PairLossResult result = pair_loss(za, zb, log_scale_of(10));
  result.loss.backward();
  EXPECT_FALSE(za.grad().defined());
  EXPECT_GT(zb.grad().norm().item<float>(), 0);
  const PairLossResult without = pair_loss(za, zb.detach(), log_scale_of(10));
  EXPECT_FALSE(without.loss.requires_grad());
  EXPECT_EQ(without.value, result.value);
  const at::Tensor twice = random_rows(20, 5, 17).requires_grad_(true);
  (pair_loss(za, twice, log_scale_of(10)).loss * -2.5).backward();
  EXPECT_TRUE(at::allclose(twice.grad(), -2.5 * zb.grad(), 1e-4, 1e-7));
}

TEST(PairLosses, OfNotANumberAreNotANumber) {
  for (const float bad : {NAN, INFINITY}) {
    at::Tensor za = random_rows(300, 5, 18);
    za[101][2] = bad;
    for (const std::string name : {"infonce", "spectral"}) {
      EXPECT_TRUE(std::isnan(pair_loss(za, random_rows(300, 5, 19), log_scale_of(10), {.name = name}).value))
          << name << " " << bad;
    }
  }
}

TEST(PairLosses, StartAtTheirTemperatureAndStayBelowTheirCap) {
  EXPECT_NEAR(initial_log_scale({}).item<double>(), std::log(1 / 0.07), 1e-6);
  EXPECT_NEAR(initial_log_scale({.temperature = 0.001, .scale_cap = 50}).item<double>(), std::log(50), 1e-6);
  at::Tensor log_scale = log_scale_of(60).requires_grad_(true);
  clamp_log_scale(log_scale, {.scale_cap = 40});
  EXPECT_NEAR(log_scale.item<double>(), std::log(40), 1e-6);
  clamp_log_scale(log_scale, {.scale_cap = 100});
  EXPECT_NEAR(log_scale.item<double>(), std::log(40), 1e-6);
}

TEST(PairLosses, RejectWhatDoesNotFit) {
  const at::Tensor z = at::ones({6, 4});
  const auto message = [](const at::Tensor& za, const at::Tensor& zb, const PairLossOptions& options = {}) {
    return test::message_of([&] { pair_loss(za, zb, log_scale_of(1), options); });
  };
  EXPECT_THAT(message(z, at::ones({5, 4})), HasSubstr("pairs of rows of one length, got 6 x 4 and 5 x 4"));
  EXPECT_THAT(message(z, at::ones({6, 3})), HasSubstr("got 6 x 4 and 6 x 3"));
  EXPECT_THAT(message(at::ones({1, 4}), at::ones({1, 4})), HasSubstr("expected 2 or more pairs"));
  EXPECT_THAT(message(at::ones({6}), z), HasSubstr("from the first tower, got "));
  EXPECT_THAT(message(z, z.to(at::kDouble)), HasSubstr("from the second tower, got CPUDoubleType of 2 dimensions"));
  EXPECT_THAT(message(z, {}), HasSubstr("got nothing"));
  EXPECT_THAT(message(z, z, {.name = "barlow"}), HasSubstr("infonce, spectral, got 'barlow'"));
  EXPECT_THAT(message(z, z, {.norm_eps = 0}), HasSubstr("expected a positive norm_eps, got 0"));
  EXPECT_THAT(test::message_of([&] { pair_loss(z, z, at::ones({2})); }),
              HasSubstr("a log_scale of one float32, got 2"));
}

}  // namespace
}  // namespace orthant
