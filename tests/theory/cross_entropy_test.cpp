#include "orthant/theory/cross_entropy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using ::testing::HasSubstr;

const Matrix64 kPosterior(2, 2, {0.75, 0.25, 0.5, 0.5});
const std::vector<double> kMarginal = {0.4, 0.6};

TEST(CrossEntropy, IsTheSumByHand) {
  const Matrix64 logits(2, 2, {std::log(2.0), 0, 5, 5});  // softmax 2/3, 1/3 and 1/2, 1/2
  const double first = -(0.75 * std::log(2.0 / 3) + 0.25 * std::log(1.0 / 3));
  EXPECT_NEAR(cross_entropy(logits, kPosterior, kMarginal), 0.4 * first + 0.6 * std::log(2.0), 1e-14);
  EXPECT_NEAR(softmax(logits)(0, 0), 2.0 / 3, 1e-15);
  const double entropy = -(0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  EXPECT_NEAR(conditional_entropy(kPosterior, kMarginal), 0.4 * entropy + 0.6 * std::log(2.0), 1e-14);
}

TEST(CrossEntropy, DoesNotOverflowAndIgnoresAConstant) {
  const Matrix64 logits(2, 2, {1001, 1000, -800, -800});
  const Matrix64 shifted(2, 2, {1, 0, 0, 0});
  EXPECT_NEAR(cross_entropy(logits, kPosterior, kMarginal), cross_entropy(shifted, kPosterior, kMarginal), 1e-10);
}

TEST(CrossEntropy, IsNeverBelowTheConditionalEntropyAndMeetsItAtThePosterior) {
  Rng rng(4);
  const double least = conditional_entropy(kPosterior, kMarginal);
  for (int draw = 0; draw < 100; ++draw) {
    Matrix64 logits(2, 2);
    for (double& value : logits.mutable_values()) value = rng.normal();
    EXPECT_GT(cross_entropy(logits, kPosterior, kMarginal), least);
  }
  Matrix64 exact = kPosterior;
  for (double& value : exact.mutable_values()) value = std::log(value) + 7;
  EXPECT_NEAR(cross_entropy(exact, kPosterior, kMarginal), least, 1e-12);
}

TEST(CrossEntropy, OfAPosteriorWithZerosIsCertainty) { EXPECT_EQ(conditional_entropy(Matrix64(1, 2, {1, 0}), {1}), 0); }

// Sigma+ stands where it was asked for, and only there.
TEST(CrossEntropy, TrainingReachesTheOptimumWithNonNegativeFeaturesAndWeights) {
  const double least = conditional_entropy(kPosterior, kMarginal);
  const auto model =
      learn_cross_entropy(kPosterior, kMarginal, {.dims = 2, .weights = Activation::rep_relu, .seed = 1});
  EXPECT_NEAR(model.loss, least, 1e-6);
  for (const double value : model.features.values()) EXPECT_GE(value, 0);
  for (const double value : model.weights.values()) EXPECT_GE(value, 0);
  EXPECT_EQ(model.loss, cross_entropy(model.logits, kPosterior, kMarginal));
  const auto plain =
      learn_cross_entropy(kPosterior, kMarginal, {.dims = 2, .features = Activation::identity, .seed = 1});
  EXPECT_NEAR(plain.loss, least, 1e-6);
}

// All logits of a sample below zero: no gradient, an even guess for ever.
TEST(CrossEntropy, ReluOnLogitsCanEndAtAnEvenGuess) {
  const Matrix64 sure(1, 2, {0.99, 0.01});
  double worst = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const auto model = learn_cross_entropy(
        sure, {1}, {.dims = 2, .features = Activation::identity, .logits = Activation::relu, .seed = seed});
    worst = std::max(worst, model.loss);
  }
  EXPECT_NEAR(worst, std::log(2.0), 1e-6);
}

TEST(CrossEntropy, StepsFollowTheGradient) {
  const CrossEntropyOptions still{.dims = 1, .features = Activation::identity, .steps = 0, .step_size = 1e-6};
  CrossEntropyOptions once = still;
  once.steps = 1;
  const auto before = learn_cross_entropy(kPosterior, kMarginal, still);
  const auto after = learn_cross_entropy(kPosterior, kMarginal, once);
  const auto loss_with = [&](double f) {
    const auto& w = before.weights;
    const double g = before.features(1, 0);
    return cross_entropy(Matrix64(2, 2, {f * w(0, 0), f * w(1, 0), g * w(0, 0), g * w(1, 0)}), kPosterior, kMarginal);
  };
  const double f = before.features(0, 0);
  const double slope = (loss_with(f + 1e-5) - loss_with(f - 1e-5)) / 2e-5;
  EXPECT_NEAR(after.features(0, 0) - f, -1e-6 * 2 * slope, 1e-13);
}

TEST(CrossEntropy, RefusesSizesThatDoNotFit) {
  EXPECT_THAT(test::message_of([] { cross_entropy(Matrix64(2, 3), kPosterior, kMarginal); }),
              HasSubstr("expected logits and P(y|x) of one size for 2 samples, got 2 x 3 and 2 x 2"));
  EXPECT_THAT(test::message_of([] { learn_cross_entropy(kPosterior, kMarginal, {.dims = 0}); }),
              HasSubstr("expected samples, labels and dimensions, got 2, 2 and 0"));
}

}  // namespace
}  // namespace orthant::theory
