#include "learn/loss/loss.h"

#include <ATen/ATen.h>
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

const std::vector<std::string> kLosses = {"infonce", "spectral", "barlow", "vicreg"};

at::Tensor random_rows(int64_t rows, int64_t dims, uint64_t seed) {
  at::manual_seed(seed);
  return at::randn({rows, dims});
}

at::Tensor gradient_of(const at::Tensor& z, int64_t views, const LossOptions& options) {
  const at::Tensor leaf = z.detach().clone().requires_grad_(true);
  contrastive_loss(leaf, views, options).loss.backward();
  return leaf.grad();
}

double relative_error(const at::Tensor& actual, const at::Tensor& expected) {
  return ((actual.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
}

// Value and gradient of the fused loss against the dense one in float64, both from the same float32 rows.
void expect_dense(const at::Tensor& z, int64_t views, const LossOptions& options) {
  const at::Tensor exact = z.detach().to(at::kDouble).requires_grad_(true);
  const at::Tensor dense = options.name == "infonce" ? test::dense_info_nce(exact, views, options.temperature)
                                                     : test::dense_spectral(exact, views);
  dense.backward();
  const std::string where = options.name + " " + std::to_string(z.size(0)) + " x " + std::to_string(z.size(1)) + ", " +
                            std::to_string(views) + " views, temperature " + std::to_string(options.temperature);
  const double expected = dense.item<double>();
  EXPECT_NEAR(contrastive_loss(z, views, options).value, expected, 1e-5 * std::abs(expected)) << where;
  EXPECT_LE(relative_error(gradient_of(z, views, options), exact.grad()), 1e-5) << where;
}

TEST(InfoNce, AgreesWithTheDenseFormula) {
  uint64_t seed = 1;
  for (const int64_t views : {2, 3, 4}) {
    for (const int64_t images : {2, 5, 33, 150, 301}) {
      for (const double temperature : {0.05, 0.2, 1.0}) {
        const int64_t dims = 3 + static_cast<int64_t>(seed * 7 % 60);
        expect_dense(random_rows(views * images, dims, seed++), views, {.temperature = temperature});
      }
    }
  }
}

TEST(InfoNce, AgreesWithTheDenseFormulaOnSparseRows) {
  for (const double temperature : {0.05, 0.2}) {
    at::Tensor z = at::relu(random_rows(514, 40, 3) - 1);
    z[3].zero_();
    z[260].zero_();
    z[513].zero_();
    expect_dense(z, 2, {.temperature = temperature});
  }
}

TEST(InfoNce, AgreesWithTheDenseFormulaWhereTheLossIsTiny) {
  const at::Tensor classes = at::eye(20).repeat({2, 1}) + 0.05 * random_rows(40, 20, 9);
  for (const double temperature : {0.02, 0.05}) expect_dense(classes, 2, {.temperature = temperature});
  EXPECT_LT(contrastive_loss(classes, 2, {.temperature = 0.02}).value, 1e-10);
}

TEST(InfoNce, OfIdenticalRowsIsThatOfChance) {
  const at::Tensor z = at::ones({62, 9});
  EXPECT_NEAR(contrastive_loss(z, 2).value, std::log(61.0), 1e-6);
  EXPECT_LT(gradient_of(z, 2, {}).abs().max().item<float>(), 1e-7);
}

TEST(InfoNce, OfZeroRowsIsThatOfChanceAndHasNoGradient) {
  const at::Tensor z = at::zeros({62, 9});
  const LossResult result = contrastive_loss(z, 2);
  EXPECT_NEAR(result.value, std::log(61.0), 1e-6);
  EXPECT_EQ(result.zero_rows, 62);
  EXPECT_TRUE(at::equal(gradient_of(z, 2, {}), z));
}

TEST(InfoNce, ZeroRowsAreCountedAndDoNotSpoilTheOthers) {
  at::Tensor raw = random_rows(40, 12, 4);
  raw[7] = -raw[7].abs();
  raw.requires_grad_(true);
  const LossResult result = contrastive_loss(nonneg(raw, {.name = "rep_relu"}), 2);
  result.loss.backward();
  EXPECT_EQ(result.zero_rows, 1);
  EXPECT_TRUE(raw.grad().isfinite().all().item<bool>());
  EXPECT_TRUE(at::equal(raw.grad()[7], at::zeros({12})));
  EXPECT_GT(raw.grad()[8].norm().item<float>(), 0);
  EXPECT_LT(raw.grad().norm().item<float>(), 10);
}

TEST(InfoNce, OfNonNegativeRowsCannotFallBelowItsFloor) {
  const double floor = std::log1p(510 * std::exp(-5.0));
  EXPECT_NEAR(floor, 1.49, 0.005);
  const LossResult perfect = contrastive_loss(at::eye(256).repeat({2, 1}), 2);
  EXPECT_NEAR(perfect.value, floor, 1e-6);
  EXPECT_NEAR(perfect.positive_cosine, 1, 1e-6);
  EXPECT_NEAR(perfect.negative_cosine, 0, 1e-6);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_GT(contrastive_loss(at::relu(random_rows(512, 64, seed)), 2).value, floor);
  }
}

TEST(InfoNce, IsStableAtAnyTemperature) {
  const at::Tensor z = random_rows(80, 6, 5);
  for (const double temperature : {1e-4, 1e-3, 0.01, 10.0, 1e4}) {
    const LossOptions options{.temperature = temperature};
    EXPECT_TRUE(std::isfinite(contrastive_loss(z, 2, options).value)) << temperature;
    EXPECT_TRUE(gradient_of(z, 2, options).isfinite().all().item<bool>()) << temperature;
  }
  EXPECT_NEAR(contrastive_loss(z, 2, {.temperature = 1e-3}).value,
              test::dense_info_nce(z.to(at::kDouble), 2, 1e-3).item<double>(), 1e-2);
  EXPECT_NEAR(contrastive_loss(z, 2, {.temperature = 1e4}).value, std::log(79.0), 1e-3);
}

TEST(InfoNce, IsInvariantToTheLengthOfRows) {
  const at::Tensor z = random_rows(60, 10, 6);
  const at::Tensor scales = at::rand({60, 1}) * 1e3 + 0.1;
  EXPECT_NEAR(contrastive_loss(z * scales, 2).value, contrastive_loss(z, 2).value, 1e-6);
}

TEST(Losses, OfNestedFeaturesAreTheMeanOfAllAndOfTheFirst) {
  const at::Tensor z = random_rows(12, 10, 8);
  for (const std::string& name : kLosses) {
    const LossOptions plain{.name = name};
    LossOptions nested = plain;
    nested.nested = 4;
    const double both = contrastive_loss(z, 2, plain).value + contrastive_loss(z.narrow(1, 0, 4), 2, plain).value;
    EXPECT_NEAR(contrastive_loss(z, 2, nested).value, both / 2, 1e-6 * std::abs(both)) << name;
    at::Tensor slope = gradient_of(z, 2, plain) / 2;
    slope.narrow(1, 0, 4).add_(gradient_of(z.narrow(1, 0, 4), 2, plain) / 2);
    EXPECT_TRUE(at::allclose(gradient_of(z, 2, nested), slope, 1e-4, 1e-6)) << name;
  }
  EXPECT_THAT(test::message_of([&] { contrastive_loss(z, 2, {.nested = 10}); }),
              HasSubstr("expected fewer nested features than the 10 there are, got 10"));
}

TEST(Spectral, AgreesWithTheDenseFormula) {
  uint64_t seed = 100;
  for (const int64_t views : {2, 3, 4}) {
    for (const int64_t images : {2, 33, 150}) {
      for (const int64_t dims : {1, 20, 140, 700}) {
        expect_dense(0.3 * random_rows(views * images, dims, seed++), views, {.name = "spectral"});
      }
    }
  }
}

TEST(Spectral, OfTheLatentClassesIsMinusTheirNumber) {
  // c equally likely classes, features P(class | x) / sqrt(P(class)): positives give c each, negatives c^2 with
  // probability 1 / c over independent draws, less in a batch, where an image is no negative of itself.
  const int64_t c = 8;
  const int64_t copies = 40;
  const at::Tensor z = std::sqrt(static_cast<double>(c)) * at::eye(c).repeat({2 * copies, 1});
  const double together = static_cast<double>(copies - 1) / static_cast<double>(c * copies - 1);
  EXPECT_NEAR(contrastive_loss(z, 2, {.name = "spectral"}).value, -2.0 * c + c * c * together, 1e-4);
}

TEST(Losses, AreInvariantToSwappingViewsAndReorderingImages) {
  const at::Tensor z = random_rows(90, 8, 12);
  const at::Tensor order = at::randperm(30);
  const at::Tensor views = at::tensor({2, 0, 1}, at::kLong);
  const at::Tensor moved = z.reshape({3, 30, 8}).index_select(0, views).index_select(1, order).reshape({90, 8});
  for (const std::string& name : kLosses) {
    const double value = contrastive_loss(z, 3, {.name = name}).value;
    EXPECT_NEAR(contrastive_loss(moved, 3, {.name = name}).value, value, 1e-5 * std::abs(value)) << name;
  }
}

TEST(Losses, OfRowsAreInvariantToRotationAndThoseAfterSigmaPlusAreNot) {
  const at::Tensor z = random_rows(128, 16, 13);
  const at::Tensor rotation = std::get<0>(at::linalg_qr(at::randn({16, 16}, at::kDouble)));
  const at::Tensor turned = z.to(at::kDouble).mm(rotation).to(at::kFloat);
  for (const std::string name : {"infonce", "spectral"}) {
    const LossOptions options{.name = name};
    const double plain = contrastive_loss(z, 2, options).value;
    EXPECT_NEAR(contrastive_loss(turned, 2, options).value, plain, 1e-5 * std::abs(plain)) << name;
    EXPECT_LE(relative_error(gradient_of(turned, 2, options), gradient_of(z, 2, options).to(at::kDouble).mm(rotation)),
              1e-5)
        << name;
    for (const std::string activation : {"relu", "rep_relu", "softplus", "topk"}) {
      const ActivationOptions sigma{.name = activation, .topk = 4};
      const double upright = contrastive_loss(nonneg(z, sigma), 2, options).value;
      const double askew = contrastive_loss(nonneg(turned, sigma), 2, options).value;
      EXPECT_GT(std::abs(askew - upright), 1e-3 * std::abs(upright)) << name << " " << activation;
    }
  }
}

TEST(Losses, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor raw = random_rows(24, 6, 14);
  for (const std::string& name : kLosses) {
    for (const std::string activation : {"none", "softplus", "gelu"}) {
      const auto loss = [&](const at::Tensor& rows) {
        return contrastive_loss(nonneg(rows, {.name = activation}), 2, {.name = name, .temperature = 0.5});
      };
      const at::Tensor leaf = raw.clone().requires_grad_(true);
      loss(leaf).loss.backward();
      for (uint64_t seed = 0; seed < 3; ++seed) {
        const at::Tensor direction = random_rows(24, 6, 50 + seed) + leaf.grad() / leaf.grad().norm() * 10;
        const at::Tensor step = direction / direction.norm() * 0.02;
        const double slope = loss(raw + step).value - loss(raw - step).value;
        const double expected = 2 * (leaf.grad() * step).sum().item<double>();
        EXPECT_NEAR(slope, expected, 3e-3 * std::abs(expected)) << name << " " << activation;
      }
    }
  }
}

TEST(Losses, ScaleTheGradientByWhatComesFromAbove) {
  const at::Tensor z = random_rows(20, 5, 15);
  for (const std::string& name : kLosses) {
    const at::Tensor leaf = z.clone().requires_grad_(true);
    (contrastive_loss(leaf, 2, {.name = name}).loss * -2.5).backward();
    EXPECT_TRUE(at::allclose(leaf.grad(), -2.5 * gradient_of(z, 2, {.name = name}), 1e-4, 1e-6)) << name;
  }
}

TEST(Losses, CanBeDifferentiatedTwiceOverIfTheGraphIsKept) {
  const at::Tensor z = random_rows(20, 5, 19);
  for (const std::string& name : kLosses) {
    const at::Tensor leaf = z.clone().requires_grad_(true);
    const at::Tensor loss = contrastive_loss(leaf, 2, {.name = name}).loss;
    loss.backward({}, /*retain_graph=*/true);
    loss.backward();
    EXPECT_TRUE(at::allclose(leaf.grad(), 2 * gradient_of(z, 2, {.name = name}), 1e-4, 1e-6)) << name;
  }
}

TEST(Losses, GiveTheSameValueWithoutGradients) {
  const at::Tensor z = random_rows(20, 5, 16);
  for (const std::string& name : kLosses) {
    const LossResult with = contrastive_loss(z.clone().requires_grad_(true), 2, {.name = name});
    const LossResult without = contrastive_loss(z, 2, {.name = name});
    EXPECT_TRUE(with.loss.requires_grad());
    EXPECT_FALSE(without.loss.requires_grad());
    EXPECT_EQ(with.value, without.value);
    EXPECT_EQ(without.loss.dim(), 0);
    EXPECT_FLOAT_EQ(without.loss.item<float>(), static_cast<float>(without.value));
  }
}

TEST(Losses, TakeRowsOfAnyLayoutInMemory) {
  const at::Tensor z = random_rows(20, 5, 17);
  const at::Tensor strided = z.t().contiguous().t();
  ASSERT_FALSE(strided.is_contiguous());
  for (const std::string& name : kLosses) {
    EXPECT_NEAR(contrastive_loss(strided, 2, {.name = name}).value, contrastive_loss(z, 2, {.name = name}).value, 1e-4);
    EXPECT_TRUE(at::allclose(gradient_of(strided, 2, {.name = name}), gradient_of(z, 2, {.name = name}), 1e-4, 1e-6));
  }
}

TEST(Losses, OfNotANumberAreNotANumber) {
  for (const float bad : {NAN, INFINITY}) {
    at::Tensor z = random_rows(600, 5, 18);
    z[301][2] = bad;
    for (const std::string& name : kLosses) {
      EXPECT_TRUE(std::isnan(contrastive_loss(z, 2, {.name = name}).value)) << name << " " << bad;
    }
  }
}

TEST(Losses, RejectWhatDoesNotFit) {
  const at::Tensor z = at::ones({6, 4});
  const auto message = [](const at::Tensor& rows, int64_t views, const LossOptions& options) {
    return test::message_of([&] { contrastive_loss(rows, views, options); });
  };
  EXPECT_THAT(message(z, 4, {}), HasSubstr("2 or more views of 2 or more images, got 6 x 4 for 4 views"));
  EXPECT_THAT(message(z, 1, {}), HasSubstr("for 1 views"));
  EXPECT_THAT(message(z, 6, {}), HasSubstr("for 6 views"));
  EXPECT_THAT(message(at::ones({6, 0}), 2, {}), HasSubstr("got 6 x 0"));
  EXPECT_THAT(message(at::ones({6}), 2, {}), HasSubstr("expected a float32 matrix [V*B, K] on the CPU, got "));
  EXPECT_THAT(message(z.to(at::kDouble), 2, {}), HasSubstr("CPUDoubleType of 2 dimensions"));
  EXPECT_THAT(message({}, 2, {}), HasSubstr("got nothing"));
  EXPECT_THAT(message(z, 2, {.name = "triplet"}), HasSubstr("infonce, spectral, barlow, vicreg, got 'triplet'"));
  EXPECT_THAT(message(z, 2, {.temperature = 0}), HasSubstr("expected a temperature of at least 0.0001, got 0"));
  EXPECT_THAT(message(z, 2, {.temperature = NAN}), HasSubstr("got nan"));
  EXPECT_THAT(message(z, 2, {.norm_eps = 0}), HasSubstr("expected a positive norm_eps, got 0"));
}

}  // namespace
}  // namespace orthant
