#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace orthant::test {

inline at::Tensor random_rows(int64_t rows, int64_t dims, uint64_t seed) {
  at::manual_seed(seed);
  return at::randn({rows, dims}, at::kDouble);
}

// Every derivative of loss(z) against the central difference; z is float64.
template <class Loss>
void expect_finite_differences(const at::Tensor& z, const Loss& loss) {
  const at::Tensor leaf = z.clone().requires_grad_(true);
  loss(leaf).backward();
  const double step = 1e-6;
  for (int64_t i = 0; i < z.numel(); ++i) {
    const at::Tensor nudge = at::zeros_like(z);
    nudge.view(-1)[i] = step;
    const double slope = (loss(z + nudge) - loss(z - nudge)).template item<double>() / (2 * step);
    EXPECT_NEAR(leaf.grad().view(-1)[i].template item<double>(), slope, 1e-6 * std::max(1.0, std::abs(slope)));
  }
}

}  // namespace orthant::test
