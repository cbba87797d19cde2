#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/linalg/products.h"
#include "orthant/theory/learners.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/stochastic.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using ::testing::HasSubstr;

TwoModalities small_worlds(uint64_t seed) {
  return simulate_two_modalities({.classes = 4, .samples = 60, .overlap = 0.1, .seed = seed}, 45);
}

TEST(Towers, PairsFollowTheJointDistributionOfBothModalities) {
  const TwoModalities worlds = simulate_two_modalities({.classes = 3, .samples = 9, .overlap = 0.2}, 6);
  const auto pairs = PairSampler(worlds).draw(200000, 1);
  Matrix64 counts(9, 6);
  for (const auto& [v, l] : pairs) counts(v, l) += 1.0 / 200000;
  const Matrix64 joint = worlds.joint();
  for (int64_t i = 0; i < joint.size(); ++i) EXPECT_NEAR(counts.data()[i], joint.data()[i], 0.004);
}

TEST(Towers, StochasticLearningReachesTheLossOfTheClosedForm) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const TwoModalities worlds = small_worlds(seed);
    const PairSampler sampler(worlds);
    const auto found = learn_two_towers([&](Rng& rng) { return sampler.draw(rng); }, 60, 45,
                                        {.dims = 4, .steps = 800, .batch = 512, .seed = seed});
    const double optimum = -linalg::squared_norm(worlds.cooccurrence());
    EXPECT_NEAR(spectral_loss(worlds.joint(), found.vision, found.language), optimum, 0.01 * -optimum);
    for (const double value : found.language.values()) ASSERT_GE(value, 0);
    const Matrix64 truth = to_factors(worlds.language.optimal_features(), worlds.language.marginal);
    EXPECT_GE(match_columns(truth, to_factors(found.language, worlds.language.marginal)).min, 0.99);
  }
}

// Every batch the pairs (0, 0) and (1, 0): the step must be minus the gradient by hand.
TEST(Towers, StepsFollowTheGradientOfTheBatchInBothTables) {
  int turn = 0;
  const auto source = [&](Rng&) { return Pair{turn++ % 2, 0}; };
  const StochasticOptions still{.dims = 1, .steps = 0, .batch = 2, .step_size = 1e-3, .seed = 3};
  const TwoTowerFeatures before = learn_two_towers(source, 2, 1, still);
  StochasticOptions once = still;
  once.activation = Activation::relu;
  once.steps = 1;
  const TwoTowerFeatures after = learn_two_towers(source, 2, 1, once);
  const double a = before.vision(0, 0);
  const double b = before.vision(1, 0);
  const double g = before.language(0, 0);
  // Loss -(a g + b g) + ((a g)^2 + (b g)^2) / 2: each is the other's negative.
  EXPECT_NEAR(after.losses[0], -(a + b) * g + (a * a + b * b) * g * g / 2, 1e-12);
  EXPECT_NEAR(after.vision(0, 0), a - 2e-3 * (-g + a * g * g), 1e-12);
  EXPECT_NEAR(after.vision(1, 0), b - 2e-3 * (-g + b * g * g), 1e-12);
  EXPECT_NEAR(after.language(0, 0), g - 1e-3 * (-(a + b) + (a * a + b * b) * g), 1e-12);
}

TEST(Towers, AllNonNegativeMethodsMeetAtOneOptimum) {
  const TwoModalities worlds = small_worlds(5);
  const Matrix64 cooccurrence = worlds.cooccurrence();
  const double norm = linalg::squared_norm(cooccurrence);
  for (const TowerLearner learner : {TowerLearner::nmf_hals, TowerLearner::nmf_mu, TowerLearner::ncl}) {
    const LearnedTowers found = learn_towers(learner, worlds, 4, 5);
    EXPECT_LE(factorization_loss(cooccurrence, found.factors.vision, found.factors.language) / norm, 0.01)
        << name(learner);
    const Matrix64 truth = to_factors(worlds.vision.optimal_features(), worlds.vision.marginal);
    EXPECT_GE(match_columns(truth, found.factors.vision).min, 0.99) << name(learner);
  }
}

TEST(Towers, RefuseSamplesOutsideTheirTable) {
  EXPECT_THAT(test::message_of([] {
                learn_two_towers([](Rng&) { return Pair{0, 1}; }, 2, 1, {});
              }),
              HasSubstr("expected samples below 1, got 1"));
}

}  // namespace
}  // namespace orthant::theory
