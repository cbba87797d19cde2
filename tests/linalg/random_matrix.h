#pragma once

#include <cmath>
#include <cstdint>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"

namespace orthant {

// Uniform on [0, 1), with a share `zeros` of exact zeros.
inline Matrix64 random_matrix(int64_t rows, int64_t cols, uint64_t seed, double zeros = 0) {
  Matrix64 matrix(rows, cols);
  Rng rng(seed);
  for (double& value : matrix.mutable_values()) value = rng.bernoulli(zeros) ? 0 : rng.uniform();
  return matrix;
}

// A B^T by three loops.
inline Matrix64 naive_product(const Matrix64& a, const Matrix64& b) {
  Matrix64 product(a.rows(), b.rows());
  for (int64_t i = 0; i < a.rows(); ++i) {
    for (int64_t j = 0; j < b.rows(); ++j) {
      for (int64_t r = 0; r < a.cols(); ++r) product(i, j) += a(i, r) * b(j, r);
    }
  }
  return product;
}

inline double max_difference(const Matrix64& a, const Matrix64& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

}  // namespace orthant
