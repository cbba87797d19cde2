#include "learn/loss/terms.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace orthant {
namespace {

at::Tensor matrix(std::vector<double> values, int64_t columns) {
  return at::tensor(values, at::kDouble).reshape({-1, columns});
}

double value(const at::Tensor& z, const TermOptions& options, const at::Tensor& reference = {}) {
  return code_terms(z, at::relu(z), reference.defined() ? reference : at::ones_like(z), options).item<double>();
}

TEST(Terms, AreThoseOfTheirFormulas) {
  const at::Tensor z = matrix({3, 4, 0, 2, 0, 0}, 3);  // unit rows (0.6, 0.8, 0) and (1, 0, 0)
  EXPECT_NEAR(value(z, {.l1 = 2}), 2 * (1.4 + 1) / 2, 1e-5);
  const double entropy = -(0.36 * std::log(0.36) + 0.64 * std::log(0.64));
  EXPECT_NEAR(value(z, {.entropy = 1}), entropy / 2, 1e-5);
  const double cosine = 3 / std::sqrt(13.0);  // of the first two columns; the third is zero
  EXPECT_NEAR(value(z, {.orthogonality = 1}), 2 * cosine * cosine / 6, 1e-5);
}

TEST(Terms, ReviveCountsFeaturesThatAreOffThroughout) {
  const at::Tensor z = matrix({1, -1, -2, -3, -3, 4}, 3);  // the second column alone is off
  EXPECT_NEAR(value(z, {.revive = 1}), 2, 1e-9);
  EXPECT_EQ(value(matrix({1, 2, 3, 4}, 2), {.revive = 1}), 0);
}

// The mean cosine of pairs of items, each weighted by the product of the feature's activations.
TEST(Terms, MonosemanticityIsTheQuadraticDefinition) {
  at::manual_seed(4);
  const at::Tensor z = at::relu(at::randn({12, 5}, at::kDouble));
  const at::Tensor reference = at::randn({12, 7}, at::kDouble);
  const at::Tensor e = reference / reference.norm(2, {1}, true);
  double sum = 0;
  for (int64_t k = 0; k < 5; ++k) {
    double above = 0;
    double below = 0;
    for (int64_t i = 0; i < 12; ++i) {
      for (int64_t j = 0; j < i; ++j) {
        const double weight = (z[i][k] * z[j][k]).item<double>();
        above += weight * e[i].dot(e[j]).item<double>();
        below += weight;
      }
    }
    sum += above / below;
  }
  EXPECT_NEAR(value(z, {.monosemanticity = 1}, reference), 1 - sum / 5, 1e-6);
}

TEST(Terms, GradientsAreThoseOfFiniteDifferences) {
  const TermOptions options{.l1 = 0.3, .entropy = 0.2, .orthogonality = 0.7, .revive = 0.4};
  at::manual_seed(2);
  at::Tensor z = at::randn({6, 4}, at::kDouble);
  z.select(1, 2).copy_(-z.select(1, 2).abs());
  const at::Tensor leaf = z.clone().requires_grad_(true);
  code_terms(leaf, at::relu(leaf), at::ones_like(z), options).backward();
  constexpr double kStep = 1e-6;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < 4; ++k) {
      at::Tensor up = z.clone();
      at::Tensor down = z.clone();
      up[i][k] += kStep;
      down[i][k] -= kStep;
      EXPECT_NEAR(leaf.grad()[i][k].item<double>(), (value(up, options) - value(down, options)) / (2 * kStep), 1e-6);
    }
  }
}

}  // namespace
}  // namespace orthant
