#include "orthant/theory/tabular.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/simulator.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using testing::HasSubstr;

Matrix64 random_features(int64_t rows, int64_t cols, uint64_t seed) {
  Rng rng(seed);
  Matrix64 features(rows, cols);
  for (double& value : features.mutable_values()) value = rng.uniform(0.05, 1);
  return features;
}

// Term by term.
double info_nce(const Matrix64& joint, const Matrix64& features, double temperature) {
  const auto cosine = [&](int64_t x, int64_t y) {
    double product = 0;
    double a = 0;
    double b = 0;
    for (int64_t j = 0; j < features.cols(); ++j) {
      product += features(x, j) * features(y, j);
      a += features(x, j) * features(x, j);
      b += features(y, j) * features(y, j);
    }
    return product / std::sqrt(a * b);
  };
  double loss = 0;
  for (int64_t x = 0; x < joint.rows(); ++x) {
    double marginal = 0;
    double total = 0;
    for (int64_t y = 0; y < joint.rows(); ++y) {
      double other = 0;
      for (int64_t z = 0; z < joint.rows(); ++z) other += joint(y, z);
      total += other * std::exp(cosine(x, y) / temperature);
      marginal += joint(x, y);
      loss -= joint(x, y) * cosine(x, y) / temperature;
    }
    loss += marginal * std::log(total);
  }
  return loss;
}

TEST(Tabular, LossesAreTheFormulas) {
  const Matrix64 joint = simulate({.classes = 3, .samples = 12, .overlap = 0.3}).joint();
  const Matrix64 features = random_features(12, 4, 1);
  EXPECT_NEAR(tabular_gradient(joint, features, TabularLoss::spectral, 1).loss, spectral_loss(joint, features), 1e-12);
  for (const double t : {0.05, 0.5}) {
    EXPECT_NEAR(tabular_gradient(joint, features, TabularLoss::info_nce, t).loss, info_nce(joint, features, t), 1e-10);
  }
}

TEST(Tabular, GradientsAreFiniteDifferences) {
  const Matrix64 joint = simulate({.classes = 3, .samples = 9, .overlap = 0.3}).joint();
  const Matrix64 features = random_features(9, 4, 2);
  constexpr double kStep = 1e-6;
  for (const TabularLoss loss : {TabularLoss::spectral, TabularLoss::info_nce}) {
    const Matrix64 gradient = tabular_gradient(joint, features, loss, 0.3).gradient;
    for (int64_t i = 0; i < features.size(); ++i) {
      Matrix64 up = features;
      Matrix64 down = features;
      up.mutable_data()[i] += kStep;
      down.mutable_data()[i] -= kStep;
      const double expected =
          (tabular_gradient(joint, up, loss, 0.3).loss - tabular_gradient(joint, down, loss, 0.3).loss) / (2 * kStep);
      EXPECT_NEAR(gradient.data()[i], expected, 1e-7);
    }
  }
}

TEST(Tabular, BothLossesFindClassesThatDoNotOverlap) {
  const LatentClasses world = simulate({.classes = 3, .samples = 30, .overlap = 0, .seed = 4});
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  for (const TabularLoss loss : {TabularLoss::spectral, TabularLoss::info_nce}) {
    const TabularFeatures found = learn_tabular(world.joint(), {.dims = 3, .loss = loss, .temperature = 0.5});
    EXPECT_GT(match_columns(truth, to_factors(found.features, world.marginal)).min, 0.95);
    EXPECT_GE(std::ranges::min(found.features.values()), 0);
  }
}

TEST(Tabular, RejectsWhatDoesNotFit) {
  EXPECT_THAT(test::message_of([] { tabular_gradient(Matrix64(3, 3), Matrix64(2, 2), TabularLoss::spectral, 1); }),
              HasSubstr("expected a joint of 2 x 2"));
  EXPECT_THAT(test::message_of([] { tabular_gradient(Matrix64(2, 2), Matrix64(2, 2), TabularLoss::info_nce, 0); }),
              HasSubstr("temperature above 0, got 0"));
  EXPECT_THAT(test::message_of([] { learn_tabular(Matrix64(2, 2), {.dims = 0}); }), HasSubstr("above 0, got 0"));
}

}  // namespace
}  // namespace orthant::theory
