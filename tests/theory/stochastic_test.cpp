#include "orthant/theory/stochastic.h"

#include <gmock/gmock.h>

#include <cmath>

#include "orthant/linalg/products.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/simulator.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(Stochastic, NclRecoversTheLatentClassesOverTenSeedsAndClDoesNot) {
  double cl_mean = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const LatentClasses world = simulate({.classes = 4, .samples = 60, .overlap = 0.1, .seed = seed});
    const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
    const PairSampler sampler(world);
    const auto source = [&](Rng& rng) { return sampler.draw(rng); };
    const StochasticFeatures ncl = learn_features(source, 60, {.dims = 4, .steps = 800, .batch = 512, .seed = seed});
    EXPECT_GE(match_columns(truth, to_factors(ncl.features, world.marginal)).min, 0.99) << seed;
    for (const double value : ncl.features.values()) ASSERT_GE(value, 0);
    const StochasticFeatures cl = learn_features(
        source, 60, {.dims = 4, .activation = Activation::identity, .steps = 800, .batch = 512, .seed = seed});
    cl_mean += match_columns(truth, to_factors(cl.features, world.marginal)).mean / 10;
    // Both reach the optimum: what differs is not the loss.
    const double optimum = -linalg::squared_norm(world.cooccurrence());
    EXPECT_NEAR(spectral_loss(world.joint(), ncl.features), optimum, 0.01 * -optimum);
    EXPECT_NEAR(spectral_loss(world.joint(), cl.features), optimum, 0.01 * -optimum);
  }
  EXPECT_LT(cl_mean, 0.9);
}

TEST(Stochastic, EstimatesTheSpectralLossWithoutBias) {
  // With a step size of next to nothing the features stay where they start, and batch losses average to their loss.
  const LatentClasses world = simulate({.classes = 3, .samples = 12, .overlap = 0.2, .seed = 1});
  const PairSampler sampler(world);
  const StochasticFeatures still =
      learn_features([&](Rng& rng) { return sampler.draw(rng); }, 12,
                     {.dims = 3, .activation = Activation::identity, .steps = 4000, .batch = 16, .step_size = 1e-300});
  double mean = 0;
  for (const double loss : still.losses) mean += loss / static_cast<double>(still.losses.size());
  EXPECT_NEAR(mean, spectral_loss(world.joint(), still.features), 0.02);
}

TEST(Stochastic, FollowsTheGradientOfTheBatch) {
  // Two samples, every batch the pairs (0, 1) and (1, 0): the step must be minus the gradient by differences.
  int turn = 0;
  const auto source = [&](Rng&) { return turn++ % 2 == 0 ? Pair{0, 1} : Pair{1, 0}; };
  const StochasticOptions still{.dims = 1, .steps = 0, .batch = 2, .step_size = 1e-3, .seed = 3};
  const Matrix64 before = learn_features(source, 2, still).features;
  StochasticOptions once = still;
  once.activation = Activation::relu;
  once.steps = 1;
  const Matrix64 after = learn_features(source, 2, once).features;
  const double f = before(0, 0);
  const double g = before(1, 0);
  // Loss -2 f g + (f^4 + g^4) / 2: the negatives of (0, 1), (1, 0) are 0 with 0 and 1 with 1.
  const double step = 1e-3 * 2;
  EXPECT_NEAR(after(0, 0), f - step * (-2 * g + 2 * f * f * f), 1e-12);
  EXPECT_NEAR(after(1, 0), g - step * (-2 * f + 2 * g * g * g), 1e-12);
}

TEST(Stochastic, RepeatsItselfBySeedAndLearnsFromAFiniteSet) {
  const LatentClasses world = simulate({.classes = 3, .samples = 30, .overlap = 0.1});
  const auto pairs = PairSampler(world).draw(20000, 3);
  const StochasticOptions options{.dims = 3, .steps = 600, .batch = 256, .seed = 5};
  const Matrix64 once = learn_features(resample(pairs), 30, options).features;
  EXPECT_EQ(once, learn_features(resample(pairs), 30, options).features);
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  EXPECT_GE(match_columns(truth, to_factors(once, world.marginal)).min, 0.99);
}

TEST(Stochastic, RefusesOptionsAndSourcesThatCannotWork) {
  const auto source = [](Rng&) { return Pair{0, 1}; };
  EXPECT_THAT(message_of([&] { learn_features(source, 2, {.batch = 1}); }), HasSubstr("at least 2 pairs"));
  EXPECT_THAT(message_of([&] { learn_features(source, 2, {.dims = 0}); }), HasSubstr("1 dimension"));
  EXPECT_THAT(message_of([&] { learn_features(source, 2, {.step_size = 0}); }), HasSubstr("positive step size"));
  EXPECT_THAT(message_of([&] { learn_features(source, 1, {}); }), HasSubstr("samples below 1, got 1"));
  EXPECT_THAT(message_of([&] { learn_features(source, 2, {.activation = Activation::identity, .step_size = 1e6}); }),
              HasSubstr("smaller step size"));
  const std::vector<Pair> none;
  EXPECT_THAT(message_of([&] { resample(none); }), HasSubstr("at least one pair"));
}

}  // namespace
}  // namespace orthant::theory
