#include "learn/loss/prediction.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "learn/loss/unit.h"
#include "tests/learn/loss/finite_differences.h"

namespace orthant::loss {
namespace {

using test::expect_finite_differences;
using test::random_rows;

// The mean cosine over ordered pairs of views of one image.
double cosine_by_hand(const at::Tensor& predicted, const at::Tensor& target, int64_t views) {
  const int64_t items = predicted.size(0) / views;
  double sum = 0;
  for (int64_t a = 0; a < views; ++a) {
    for (int64_t b = 0; b < views; ++b) {
      for (int64_t i = 0; i < items && a != b; ++i) {
        const at::Tensor p = predicted[a * items + i];
        const at::Tensor t = target[b * items + i];
        sum += (p.dot(t) / (p.norm() * t.norm())).item<double>();
      }
    }
  }
  return sum / static_cast<double>(views * (views - 1) * items);
}

TEST(Byol, AgreesWithItsDefinition) {
  for (const int64_t views : {2, 3}) {
    const at::Tensor p = random_rows(5 * views, 4, 1);
    const at::Tensor t = random_rows(5 * views, 4, 2);
    EXPECT_NEAR(byol(p, t, views, 1e-6).item<double>(), 2 - 2 * cosine_by_hand(p, t, views), 1e-12);
    EXPECT_NEAR(simsiam(p, t, views, 1e-6).item<double>(), -cosine_by_hand(p, t, views), 1e-12);
  }
}

TEST(Byol, IsTheSquaredDistanceOfUnitRows) {
  const at::Tensor p = unit(random_rows(6, 4, 3), 1e-6);
  const at::Tensor t = unit(random_rows(6, 4, 4), 1e-6);
  const at::Tensor crossed = at::cat({t.narrow(0, 3, 3), t.narrow(0, 0, 3)});
  EXPECT_NEAR(byol(p, t, 2, 1e-6).item<double>(), (p - crossed).square().sum(1).mean().item<double>(), 1e-12);
}

TEST(Byol, GradientAgreesWithFiniteDifferences) {
  const at::Tensor t = random_rows(6, 3, 5);
  expect_finite_differences(random_rows(6, 3, 6), [&](const at::Tensor& p) { return byol(p, t, 2, 1e-6); });
  expect_finite_differences(random_rows(6, 3, 6), [&](const at::Tensor& p) { return simsiam(p, t, 3, 1e-6); });
}

TEST(Byol, TheTargetGetsNoGradient) {
  const at::Tensor p = random_rows(6, 3, 7).requires_grad_(true);
  const at::Tensor t = random_rows(6, 3, 8).requires_grad_(true);
  byol(p, t, 2, 1e-6).backward();
  simsiam(p, t, 2, 1e-6).backward();
  EXPECT_TRUE(p.grad().defined());
  EXPECT_FALSE(t.grad().defined());
}

TEST(Byol, AZeroRowHasCosineZeroAndNoGradient) {
  at::Tensor p = at::ones({4, 3}, at::kDouble);
  p[1].zero_();
  p.requires_grad_(true);
  const at::Tensor loss = simsiam(p, at::ones({4, 3}, at::kDouble), 2, 1e-6);
  EXPECT_NEAR(loss.item<double>(), -0.75, 1e-12);
  loss.backward();
  EXPECT_EQ(p.grad()[1].abs().sum().item<double>(), 0);
}

}  // namespace
}  // namespace orthant::loss
