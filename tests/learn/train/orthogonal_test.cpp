#include "learn/train/orthogonal.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/learn/train/support.h"

namespace orthant {
namespace {

using test::formula;

// Singular values that are next to nothing grow five hundredfold, and rounding with them.
constexpr double kRounding = 1e-3;

// The iteration as published, on the matrix itself and in double.
at::Tensor naive(const at::Tensor& matrix) {
  at::Tensor x = matrix.to(at::kDouble);
  const bool tall = x.size(0) > x.size(1);
  if (tall) x = x.t();
  x = x / x.norm();
  for (int step = 0; step < 5; ++step) {
    const at::Tensor a = x.mm(x.t());
    x = 3.4445 * x + (-4.7750 * a + 2.0315 * a.mm(a)).mm(x);
  }
  return tall ? x.t() : x;
}

TEST(Orthogonal, IsThePublishedIteration) {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{3, 4}, {4, 3}, {64, 64}, {32, 288}, {200, 7}, {2, 1}}) {
    const at::Tensor matrix = formula(shape, 3) + formula(shape, 4).sin();
    EXPECT_LE((orthogonal(matrix).to(at::kDouble) - naive(matrix)).abs().max().item<double>(), kRounding) << shape;
  }
}

TEST(Orthogonal, KeepsSingularVectorsAndMakesTheirValuesAboutOne) {
  at::manual_seed(5);
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{8, 40}, {40, 8}, {16, 300}}) {
    const at::Tensor matrix = at::randn(shape);
    const auto [u, s, v] = at::svd(matrix);
    const at::Tensor within = u.t().mm(orthogonal(matrix)).mm(v);
    EXPECT_GE(within.diagonal().min().item<float>(), 0.65F) << shape;
    EXPECT_LE(within.diagonal().max().item<float>(), 1.25F) << shape;
    EXPECT_LE((within - at::diag(within.diagonal())).abs().max().item<float>(), 1e-3F) << shape;
  }
}

TEST(Orthogonal, DoesNotDependOnTheSizeOfTheMatrix) {
  const at::Tensor matrix = formula({6, 9}, 1);
  for (const double size : {1e-12, 1e-3, 1e6}) {
    EXPECT_TRUE(at::allclose(orthogonal(matrix * size), orthogonal(matrix), kRounding, kRounding)) << size;
  }
}

TEST(Orthogonal, ZeroStaysZero) { EXPECT_TRUE(at::equal(orthogonal(at::zeros({3, 5})), at::zeros({3, 5}))); }

TEST(Orthogonal, WhatHasOneDirectionKeepsIt) {
  const at::Tensor row = formula({1, 5}, 2);
  const at::Tensor matrix = at::cat({row, 2 * row, -row});
  const at::Tensor found = orthogonal(matrix);
  EXPECT_TRUE(at::allclose(found / found.norm(), matrix / matrix.norm(), 1e-3, 1e-4));
}

}  // namespace
}  // namespace orthant
