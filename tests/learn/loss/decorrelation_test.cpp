#include "learn/loss/decorrelation.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learn/loss/finite_differences.h"

namespace orthant::loss {
namespace {

using test::expect_finite_differences;
using test::random_rows;
using Rows = std::vector<std::vector<double>>;

Rows view_of(const at::Tensor& z, int64_t views, int64_t view) {
  const int64_t images = z.size(0) / views;
  Rows rows(static_cast<size_t>(images), std::vector<double>(static_cast<size_t>(z.size(1))));
  for (int64_t b = 0; b < images; ++b) {
    for (int64_t k = 0; k < z.size(1); ++k) {
      rows[static_cast<size_t>(b)][static_cast<size_t>(k)] = z[view * images + b][k].item<double>();
    }
  }
  return rows;
}

double mean(const Rows& rows, size_t k) {
  double sum = 0;
  for (const auto& row : rows) sum += row[k];
  return sum / static_cast<double>(rows.size());
}

// sum over rows of (a_k - mean) (b_l - mean)
double scatter(const Rows& a, size_t k, const Rows& b, size_t l) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i][k] - mean(a, k)) * (b[i][l] - mean(b, l));
  return sum;
}

double barlow_by_hand(const Rows& a, const Rows& b, double redundancy) {
  const auto n = static_cast<double>(a.size());
  double loss = 0;
  for (size_t k = 0; k < a[0].size(); ++k) {
    for (size_t l = 0; l < a[0].size(); ++l) {
      const double c =
          scatter(a, k, b, l) / n / std::sqrt((scatter(a, k, a, k) / n + 1e-5) * (scatter(b, l, b, l) / n + 1e-5));
      loss += k == l ? (1 - c) * (1 - c) : redundancy * c * c;
    }
  }
  return loss;
}

double vicreg_by_hand(const Rows& a, const Rows& b, const LossOptions& options) {
  const auto n = static_cast<double>(a.size());
  const auto dims = static_cast<double>(a[0].size());
  double invariance = 0;
  double variance = 0;
  double covariance = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < a[0].size(); ++k) invariance += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]) / (n * dims);
  }
  for (const Rows* view : {&a, &b}) {
    for (size_t k = 0; k < a[0].size(); ++k) {
      variance += std::max(0.0, 1 - std::sqrt(scatter(*view, k, *view, k) / (n - 1) + 1e-4)) / dims / 2;
      for (size_t l = 0; l < a[0].size(); ++l) {
        const double c = scatter(*view, k, *view, l) / (n - 1);
        if (k != l) covariance += c * c / dims;
      }
    }
  }
  return options.vicreg_invariance * invariance + options.vicreg_variance * variance +
         options.vicreg_covariance * covariance;
}

TEST(Barlow, AgreesWithItsDefinition) {
  const LossOptions options{.barlow_redundancy = 0.3};
  const at::Tensor z = 2 * random_rows(14, 4, 1) + 1;
  EXPECT_NEAR(barlow(z, 2, options).item<double>(), barlow_by_hand(view_of(z, 2, 0), view_of(z, 2, 1), 0.3), 1e-10);
  const at::Tensor three = random_rows(15, 4, 2);
  const Rows a = view_of(three, 3, 0);
  const Rows b = view_of(three, 3, 1);
  const Rows c = view_of(three, 3, 2);
  EXPECT_NEAR(barlow(three, 3, options).item<double>(),
              (barlow_by_hand(a, b, 0.3) + barlow_by_hand(a, c, 0.3) + barlow_by_hand(b, c, 0.3)) / 3, 1e-10);
}

TEST(Barlow, IsZeroForEqualViewsOfUncorrelatedColumns) {
  const at::Tensor columns = at::tensor({1, 1, 1, -1, -1, 1, -1, -1}, at::kDouble).reshape({4, 2}) * 100;
  EXPECT_NEAR(barlow(columns.repeat({2, 1}), 2, {}).item<double>(), 0, 1e-9);
}

TEST(Barlow, GradientAgreesWithFiniteDifferences) {
  expect_finite_differences(random_rows(12, 3, 3), [](const at::Tensor& z) { return barlow(z, 2, {}); });
  expect_finite_differences(random_rows(12, 3, 4), [](const at::Tensor& z) { return barlow(z, 3, {}); });
}

TEST(Barlow, GivesDeadColumnsAFiniteGradient) {
  at::Tensor z = random_rows(12, 3, 5);
  z.select(1, 1).zero_();
  z.requires_grad_(true);
  barlow(z, 2, {}).backward();
  EXPECT_TRUE(z.grad().isfinite().all().item<bool>());
}

TEST(Vicreg, AgreesWithItsDefinition) {
  const LossOptions options{.vicreg_invariance = 3, .vicreg_variance = 5, .vicreg_covariance = 7};
  const at::Tensor z = 0.7 * random_rows(14, 4, 6);
  EXPECT_NEAR(vicreg(z, 2, options).item<double>(), vicreg_by_hand(view_of(z, 2, 0), view_of(z, 2, 1), options), 1e-10);
  const at::Tensor three = random_rows(15, 4, 7);
  const Rows a = view_of(three, 3, 0);
  const Rows b = view_of(three, 3, 1);
  const Rows c = view_of(three, 3, 2);
  EXPECT_NEAR(vicreg(three, 3, options).item<double>(),
              (vicreg_by_hand(a, b, options) + vicreg_by_hand(a, c, options) + vicreg_by_hand(b, c, options)) / 3,
              1e-10);
}

TEST(Vicreg, GradientAgreesWithFiniteDifferences) {
  expect_finite_differences(0.8 * random_rows(12, 3, 8), [](const at::Tensor& z) { return vicreg(z, 2, {}); });
  expect_finite_differences(0.8 * random_rows(12, 3, 9), [](const at::Tensor& z) { return vicreg(z, 3, {}); });
}

TEST(Vicreg, GivesDeadColumnsAFiniteGradient) {
  const at::Tensor z = at::zeros({12, 3}, at::kDouble).requires_grad_(true);
  vicreg(z, 2, {}).backward();
  EXPECT_TRUE(z.grad().isfinite().all().item<bool>());
}

}  // namespace
}  // namespace orthant::loss
