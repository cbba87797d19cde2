#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"
#include "orthant/measure/sepin.h"

// SEPIN the slow way: delete a column and compute everything again, in double.
namespace orthant::measure::oracle {

inline void make_unit(Matrix64& rows) {
  for (int64_t a = 0; a < rows.rows(); ++a) {
    double squared = 0;
    for (const double x : rows.row(a)) squared += x * x;
    const double length = std::sqrt(squared);
    for (double& x : rows.mutable_row(a)) x = length > 1e-12 ? x / length : 0;
  }
}

inline Matrix64 without_column(const Matrix64& rows, int64_t column) {
  Matrix64 left(rows.rows(), rows.cols() - 1);
  for (int64_t a = 0; a < rows.rows(); ++a) {
    for (int64_t j = 0; j < left.cols(); ++j) left(a, j) = rows(a, j < column ? j : j + 1);
  }
  return left;
}

// Rows a and a + rows / 2 are a pair.
inline double info_nce(const Matrix64& rows, const SepinOptions& options) {
  const int64_t n = rows.rows();
  double loss = 0;
  for (int64_t a = 0; a < n; ++a) {
    double positive = 0;
    double negatives = 0;
    for (int64_t b = 0; b < n; ++b) {
      if (b == a) continue;
      double product = 0;
      for (int64_t j = 0; j < rows.cols(); ++j) product += rows(a, j) * rows(b, j);
      (b == (a + n / 2) % n ? positive : negatives) += std::exp(product / options.temperature);
    }
    loss -= std::log(positive / (negatives + (options.positive_in_denominator ? positive : 0)));
  }
  return loss / static_cast<double>(n);
}

struct Result {
  double loss = 0;
  std::vector<double> values;
};

// All pairs in one batch.
inline Result sepin(const Matrix& first, const Matrix& second, const SepinOptions& options) {
  Matrix64 rows(2 * first.rows(), first.cols());
  for (int64_t a = 0; a < first.rows(); ++a) {
    std::ranges::copy(first.row(a), rows.mutable_row(a).begin());
    std::ranges::copy(second.row(a), rows.mutable_row(a + first.rows()).begin());
  }
  make_unit(rows);
  Result result{info_nce(rows, options), {}};
  for (int64_t i = 0; i < rows.cols(); ++i) {
    Matrix64 left = without_column(rows, i);
    if (options.renormalise) make_unit(left);
    result.values.push_back(info_nce(left, options) - result.loss);
  }
  return result;
}

struct Views {
  Matrix first;
  Matrix second;
};

// Two noisy views of the same random items; `zeros` is the share of zeros, of which the rest is positive, or 0 for
// signed features.
inline Views random_views(int64_t pairs, int64_t cols, double zeros, uint64_t seed) {
  Rng rng(seed);
  Views views{Matrix(pairs, cols), Matrix(pairs, cols)};
  for (int64_t p = 0; p < pairs; ++p) {
    for (int64_t j = 0; j < cols; ++j) {
      const double shared = rng.normal();
      const bool zero = rng.uniform() < zeros;
      for (Matrix* view : {&views.first, &views.second}) {
        const double x = shared + 0.5 * rng.normal();
        (*view)(p, j) = zeros == 0 ? static_cast<float>(x) : zero ? 0.0F : static_cast<float>(std::abs(x));
      }
    }
  }
  return views;
}

}  // namespace orthant::measure::oracle
