#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learn/train/optimiser_kernels.h"

namespace orthant {
namespace {

TEST(L2Norm, CountsEveryElementWhateverTheLength) {
  for (size_t length = 0; length <= 33; ++length) {
    const std::vector<float> values(length, -2.0F);
    EXPECT_DOUBLE_EQ(l2_norm(values), std::sqrt(4.0 * static_cast<double>(length))) << length;
  }
}

TEST(MomentumStep, IsItsFormulaByHand) {
  std::vector<float> weights = {1, -2, 4};
  const std::vector<float> gradient = {0.5F, 1, 0};
  std::vector<float> buffer = {2, 0, -1};
  momentum_step(weights, gradient, buffer, {.rate = 0.5F, .momentum = 0.25F, .decay = 0.5F, .scale = 2});
  EXPECT_EQ(buffer, (std::vector<float>{2.5F, 0, 3.75F}));
  EXPECT_EQ(weights, (std::vector<float>{-0.25F, -2, 2.125F}));
}

TEST(AdamStep, TheFirstOneMovesEveryWeightByTheRateAgainstItsGradient) {
  for (const size_t length : {1U, 7U, 8U, 19U}) {
    std::vector<float> weights(length, 3.0F);
    std::vector<float> gradient(length);
    for (size_t i = 0; i < length; ++i) gradient[i] = i % 2 == 0 ? 0.5F : -4.0F;
    std::vector<float> first(length);
    std::vector<float> second(length);
    adam_step(weights, gradient, first, second, {.rate = 0.125F, .correction1 = 0.1F, .correction2 = 0.001F});
    for (size_t i = 0; i < length; ++i) EXPECT_NEAR(weights[i], i % 2 == 0 ? 2.875 : 3.125, 1e-5) << i;
  }
}

TEST(AdamStep, DecayShrinksTheWeightsApartFromTheGradient) {
  std::vector<float> weights = {8};
  std::vector<float> first = {0};
  std::vector<float> second = {0};
  adam_step(weights, std::vector<float>{0}, first, second, {.rate = 0.5F, .decay = 0.25F});
  EXPECT_EQ(weights[0], 7.0F);
}

TEST(Lars, TheLocalRateIsClippedAndExcludedWhereANormIsZero) {
  EXPECT_DOUBLE_EQ(lars_scale(0, 1, 0.1, 0, 0.02, true), 1);
  EXPECT_DOUBLE_EQ(lars_scale(1, 0, 0.1, 0, 0.02, true), 1);
  EXPECT_NEAR(lars_scale(2, 1, 0.4, 0, 0.02, false), 0.04, 1e-9);
  EXPECT_NEAR(lars_scale(2, 1, 0.4, 0, 0.02, true), 0.1, 1e-8);
  EXPECT_DOUBLE_EQ(lars_scale(2, 1e-9, 0.4, 0, 0.02, true), 1);
}

}  // namespace
}  // namespace orthant
