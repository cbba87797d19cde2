#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "orthant/disentangle/beta_vae.h"
#include "orthant/disentangle/factor_vae.h"
#include "orthant/disentangle/fixed_factor.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::codes_of;
using test::factor_of;
using test::random_factor;
using testing::HasSubstr;

struct Items {
  std::vector<Factor> factors;
  Matrix codes;
};

Items items(int64_t count, double noise, uint64_t seed) {
  Items made{.factors = {random_factor("a", count, 4, seed), random_factor("b", count, 5, seed + 1),
                         random_factor("c", count, 3, seed + 2)},
             .codes = {}};
  made.codes = codes_of(made.factors, noise, seed + 3);
  return made;
}

TEST(FixedFactorSampler, DrawsItemsThatAgreeAndNoSingleOnes) {
  const std::vector factors = {factor_of("a", 3, {0, 1, 0, 2, 1, 1}), factor_of("constant", 1, {0, 0, 0, 0, 0, 0}),
                               factor_of("all different", 6, {0, 1, 2, 3, 4, 5})};
  const FixedFactorSampler sampler(factors);
  EXPECT_EQ(sampler.usable(), 1);
  Rng rng(1);
  std::set<int64_t> drawn;
  for (int t = 0; t < 200; ++t) {
    ASSERT_EQ(sampler.draw_factor(rng), 0);
    const int64_t item = sampler.draw_item(0, rng);
    const int64_t other = sampler.draw_like(0, item, rng);
    EXPECT_EQ(factors[0].classes[static_cast<size_t>(item)], factors[0].classes[static_cast<size_t>(other)]);
    drawn.insert({item, other});
  }
  EXPECT_THAT(drawn, testing::ElementsAre(0, 1, 2, 4, 5)) << "3 is alone in its class";
}

TEST(FactorVae, IsOneForOneCodePerFactorAndNearChanceForNoise) {
  const Items train = items(600, 0.05, 1);
  const Items test = items(400, 0.05, 10);
  const FactorVaeOptions options{.votes = 400, .test_votes = 300};
  const FactorVaeScore score = factor_vae(train.codes, train.factors, test.codes, test.factors, options);
  EXPECT_GT(score.accuracy, 0.99);
  EXPECT_GT(score.train_accuracy, 0.99);
  EXPECT_EQ(score.active_codes, 4) << "the dead code is pruned";

  Matrix noise(600, 2);
  Rng rng(5);
  for (float& x : noise.mutable_values()) x = static_cast<float>(rng.normal());
  const FactorVaeScore chance = factor_vae(noise, train.factors, noise, train.factors, options);
  EXPECT_NEAR(chance.accuracy, 1.0 / 3, 0.12);
}

// Factor b is held by no code, so its votes are wrong unless a code's table says b: by hand, one code for factor a of
// two factors, every vote goes to that code, and the better-voted factor is right half of the time.
TEST(FactorVae, OfASingleCodeIsTheShareOfItsCommonestFactor) {
  const std::vector factors = {random_factor("a", 300, 2, 1), random_factor("b", 300, 2, 2)};
  Matrix codes(300, 1);
  for (int64_t i = 0; i < 300; ++i) codes(i, 0) = static_cast<float>(factors[0].classes[static_cast<size_t>(i)]);
  const FactorVaeScore score = factor_vae(codes, factors, codes, factors, {.votes = 1000, .test_votes = 1000});
  EXPECT_NEAR(score.accuracy, 0.5, 0.06);
}

TEST(FactorVae, IsTheSameDenseAndSparseAndForAnyThreadsButNotForAnotherSeed) {
  Items train = items(200, 0.9, 3);
  Items test = items(100, 0.9, 4);
  for (float& x : train.codes.mutable_values()) x = std::max(x, 0.0F);
  for (float& x : test.codes.mutable_values()) x = std::max(x, 0.0F);
  const auto score = [&](const Features& a, const Features& b, uint64_t seed, int threads) {
    return factor_vae(a, train.factors, b, test.factors,
                      {.batch = 8, .votes = 200, .test_votes = 500, .seed = seed, .threads = threads})
        .accuracy;
  };
  const double expected = score(train.codes, test.codes, 1, 1);
  EXPECT_EQ(score(SparseMatrix::from_dense(train.codes), SparseMatrix::from_dense(test.codes), 1, 3), expected);
  EXPECT_NE(score(train.codes, test.codes, 2, 1), expected);
}

TEST(FactorVae, IsZeroWithoutActiveCodesOrFactors) {
  const Items some = items(50, 0.1, 5);
  EXPECT_EQ(factor_vae(Matrix(50, 3), some.factors, Matrix(50, 3), some.factors, {.votes = 10}).accuracy, 0);
  EXPECT_EQ(factor_vae(some.codes, some.factors, some.codes, some.factors, {.votes = 10, .prune_below = 100}).accuracy,
            0);
  const std::vector constant = {factor_of("f", 1, std::vector<int32_t>(50))};
  EXPECT_EQ(factor_vae(some.codes, constant, some.codes, constant, {.votes = 10}).accuracy, 0);
  const std::vector one = {factor_of("f", 1, {0})};
  EXPECT_EQ(factor_vae(Matrix(1, 2), one, Matrix(1, 2), one, {.votes = 10}).accuracy, 0);
}

TEST(BetaVae, IsOneForOneCodePerFactorAndNearChanceForNoise) {
  const Items train = items(600, 0.05, 6);
  const Items test = items(400, 0.05, 7);
  const BetaVaeOptions options{.points = 300, .test_points = 300};
  const BetaVaeScore score = beta_vae(train.codes, train.factors, test.codes, test.factors, options);
  EXPECT_GT(score.accuracy, 0.99);
  EXPECT_GT(score.train_accuracy, 0.99);

  Matrix noise(600, 2);
  Rng rng(5);
  for (float& x : noise.mutable_values()) x = static_cast<float>(rng.normal());
  EXPECT_NEAR(beta_vae(noise, train.factors, noise, train.factors, options).accuracy, 1.0 / 3, 0.12);
}

TEST(BetaVae, IsTheSameDenseAndSparseAndForAnyThreads) {
  Items train = items(200, 0.9, 8);
  Items test = items(100, 0.9, 9);
  for (float& x : train.codes.mutable_values()) x = std::max(x, 0.0F);
  for (float& x : test.codes.mutable_values()) x = std::max(x, 0.0F);
  const auto score = [&](const Features& a, const Features& b, int threads) {
    return beta_vae(a, train.factors, b, test.factors,
                    {.batch = 8, .points = 200, .test_points = 300, .threads = threads});
  };
  const BetaVaeScore one = score(train.codes, test.codes, 1);
  const BetaVaeScore other = score(SparseMatrix::from_dense(train.codes), SparseMatrix::from_dense(test.codes), 3);
  EXPECT_EQ(one.accuracy, other.accuracy);
  EXPECT_EQ(one.train_accuracy, other.train_accuracy);
}

TEST(BetaVae, IsZeroWithoutLiveCodesOrFactorsAndRefusesNaN) {
  const Items some = items(50, 0.1, 5);
  EXPECT_EQ(beta_vae(Matrix(50, 3), some.factors, Matrix(50, 3), some.factors, {.points = 10}).accuracy, 0);
  const std::vector constant = {factor_of("f", 1, std::vector<int32_t>(50))};
  EXPECT_EQ(beta_vae(some.codes, constant, some.codes, constant, {.points = 10}).accuracy, 0);
  Matrix bad = some.codes;
  bad(3, 1) = INFINITY;
  EXPECT_THAT(
      test::message_of([&] { beta_vae(bad, some.factors, some.codes, some.factors); }),
      HasSubstr("[beta_vae] expected finite features, got 1 NaN or infinite, the first (inf) in row 3, column 1"));
  EXPECT_THAT(test::message_of([&] { factor_vae(bad, some.factors, some.codes, some.factors, {.batch = 1}); }),
              HasSubstr("[factor_vae] expected a batch of 2 or more, got 1"));
}

}  // namespace
}  // namespace orthant::disentangle
