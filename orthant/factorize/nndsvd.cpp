#include "orthant/factorize/nndsvd.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/orthonormal.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr uint16_t kRangeStream = 0xff12;
constexpr uint16_t kFillRowStream = 0xff13;
constexpr uint16_t kFillColumnStream = 0xff14;
constexpr double kVanishing = 1e-8;  // of the largest singular value
constexpr double kRounding = 1e-7;   // of the largest entry of a column

Matrix64 normal_matrix(int64_t rows, int64_t cols, uint64_t seed, uint16_t stream) {
  Matrix64 matrix(rows, cols);
  for (int64_t i = 0; i < rows; ++i) {
    Rng rng(StreamKey{.seed = seed, .sample = static_cast<uint64_t>(i), .view = stream});
    for (double& value : matrix.mutable_row(i)) value = rng.normal();
  }
  return matrix;
}

Matrix64 leading_columns(const Matrix64& from, int64_t count) {
  Matrix64 columns(from.rows(), count);
  for (int64_t i = 0; i < from.rows(); ++i) {
    std::copy_n(from.row(i).begin(), count, columns.mutable_row(i).begin());
  }
  return columns;
}

// Norms of the positive and of the negative part of column j.
std::pair<double, double> part_norms(const Matrix64& matrix, int64_t j) {
  double positive = 0;
  double negative = 0;
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    const double x = matrix(i, j);
    (x > 0 ? positive : negative) += x * x;
  }
  return {std::sqrt(positive), std::sqrt(negative)};
}

// Column j of `to` = scale * max(sign * column j of `from`, 0), without what is only rounding.
void put_part(const Matrix64& from, int64_t j, double sign, double scale, Matrix64& to) {
  double largest = 0;
  for (int64_t i = 0; i < from.rows(); ++i) largest = std::max(largest, sign * from(i, j));
  for (int64_t i = 0; i < from.rows(); ++i) {
    const double value = sign * from(i, j);
    to(i, j) = value > kRounding * largest ? scale * value : 0;
  }
}

void put_noise(double scale, uint64_t seed, uint16_t stream, int64_t j, Matrix64& to) {
  for (int64_t i = 0; i < to.rows(); ++i) {
    Rng rng({.seed = seed, .epoch = static_cast<uint32_t>(j), .sample = static_cast<uint64_t>(i), .view = stream});
    to(i, j) = scale * std::abs(rng.normal());
  }
}

}  // namespace

TruncatedSvd truncated_svd(const Target& target, const TruncatedSvdOptions& options) {
  const int64_t limit = std::min(target.rows(), target.cols());
  check(options.rank >= 1 && options.rank <= limit, "[truncated_svd] expected a rank from 1 to ", limit, ", got ",
        options.rank);
  target.check_finite("truncated_svd");
  const int threads = options.threads;
  const int64_t width = std::min(limit, options.rank + std::max<int64_t>(options.oversampling, 0));
  const Matrix64 probe = normal_matrix(target.cols(), width, options.seed, kRangeStream);
  Matrix64 range = linalg::orthonormalize(target.multiply(probe, threads), threads);
  for (int64_t i = 0; i < options.power_iterations; ++i) {
    const Matrix64 back = linalg::orthonormalize(target.multiply_transposed(range, threads), threads);
    range = linalg::orthonormalize(target.multiply(back, threads), threads);
  }
  // With B = A^T Q [M, width] = V S Z^T: A ~ Q B^T = (Q Z) S V^T.
  const Matrix64 b = target.multiply_transposed(range, threads);
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(linalg::gram(b, threads));
  const Matrix64 rotation = leading_columns(eigen.vectors, options.rank);
  TruncatedSvd svd{linalg::matmul(range, rotation, threads), std::vector<double>(static_cast<size_t>(options.rank)),
                   linalg::matmul(b, rotation, threads)};
  const double largest = std::sqrt(std::max(eigen.values.front(), 0.0));
  for (int64_t j = 0; j < options.rank; ++j) {
    const double value = std::sqrt(std::max(eigen.values[static_cast<size_t>(j)], 0.0));
    const bool vanishes = value <= kVanishing * largest;
    svd.values[static_cast<size_t>(j)] = vanishes ? 0 : value;
    for (int64_t i = 0; i < svd.v.rows(); ++i) svd.v(i, j) *= vanishes ? 0 : 1 / value;
    if (vanishes) {
      for (int64_t i = 0; i < svd.u.rows(); ++i) svd.u(i, j) = 0;
    }
  }
  return svd;
}

Factors nndsvd(const Target& target, const TruncatedSvdOptions& options) {
  const TruncatedSvd svd = truncated_svd(target, options);
  Factors factors{Matrix64(target.rows(), options.rank), Matrix64(target.cols(), options.rank)};
  const double mean = std::abs(target.sum()) / static_cast<double>(target.rows()) / static_cast<double>(target.cols());
  for (int64_t j = 0; j < options.rank; ++j) {
    const double value = svd.values[static_cast<size_t>(j)];
    if (value == 0) {
      put_noise(1e-2 * std::sqrt(mean), options.seed, kFillRowStream, j, factors.w);
      put_noise(1e-2 * std::sqrt(mean), options.seed, kFillColumnStream, j, factors.h);
      continue;
    }
    const auto [u_positive, u_negative] = part_norms(svd.u, j);
    const auto [v_positive, v_negative] = part_norms(svd.v, j);
    const bool take_positive = u_positive * v_positive >= u_negative * v_negative;
    const double u_norm = take_positive ? u_positive : u_negative;
    const double v_norm = take_positive ? v_positive : v_negative;
    const double strength = std::sqrt(value * u_norm * v_norm);
    const double sign = take_positive ? 1 : -1;
    put_part(svd.u, j, sign, u_norm > 0 ? strength / u_norm : 0, factors.w);
    put_part(svd.v, j, sign, v_norm > 0 ? strength / v_norm : 0, factors.h);
  }
  return factors;
}

}  // namespace orthant::factorize
