#include <gtest/gtest.h>

#include "learn/task/model_task.h"

namespace orthant {
namespace {

TEST(Moments, TheTemperatureMovesAlongHalfACosineOfItsLogarithm) {
  Recipe recipe;
  recipe.loss.temperature = 0.05;
  EXPECT_EQ(loss_at(recipe, {.step = 0, .steps = 100}).temperature, 0.05) << "constant unless asked for";
  recipe.loss.temperature_start = 0.2;
  EXPECT_NEAR(loss_at(recipe, {.step = 0, .steps = 100}).temperature, 0.2, 1e-12);
  EXPECT_NEAR(loss_at(recipe, {.step = 50, .steps = 100}).temperature, 0.1, 1e-12) << "the geometric mean";
  EXPECT_NEAR(loss_at(recipe, {.step = 100, .steps = 100}).temperature, 0.05, 1e-12);
}

TEST(Moments, SigmaIsBlendedInOverItsShareOfTraining) {
  Recipe recipe;
  recipe.train.activation_warmup = 0.4;
  EXPECT_EQ(sigma_blend(recipe, {.step = 0, .steps = 100}), 0);
  EXPECT_EQ(sigma_blend(recipe, {.step = 20, .steps = 100}), 0.5);
  EXPECT_EQ(sigma_blend(recipe, {.step = 60, .steps = 100}), 1);
}

}  // namespace
}  // namespace orthant
