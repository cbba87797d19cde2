#include "orthant/factorize/spectral.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/orthonormal.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr auto kWhere = "[spectral] ";
constexpr int64_t kFullSize = 1000;
constexpr uint16_t kBlockStream = 0xff13;
constexpr uint16_t kRotationStream = 0xff14;

void check_problem(const Target& target, const SolverOptions& options) {
  check(target.rows() == target.cols(), kWhere, "expected a square matrix, got ", target.rows(), " x ", target.cols());
  check(options.rank >= 1 && options.rank <= target.rows(), kWhere, "expected a rank from 1 to ", target.rows(),
        " for a matrix of ", target.rows(), " x ", target.cols(), ", got ", options.rank);
  check(options.max_iterations >= 0, kWhere, "expected max_iterations of 0 or more, got ", options.max_iterations);
  check(options.tolerance >= 0, kWhere, "expected a tolerance of 0 or more, got ", options.tolerance);
  target.check_finite("spectral");
  target.check_symmetric("spectral");
}

// The first `count` columns, each times `scale`.
Matrix64 leading_columns(const Matrix64& matrix, int64_t count, const std::vector<double>& scale) {
  Matrix64 leading(matrix.rows(), count);
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t j = 0; j < count; ++j) leading(i, j) = matrix(i, j) * scale[static_cast<size_t>(j)];
  }
  return leading;
}

Matrix64 factors(const Matrix64& vectors, const std::vector<double>& values, int64_t rank) {
  std::vector<double> roots;
  for (int64_t j = 0; j < rank; ++j) roots.push_back(std::sqrt(std::max(values[static_cast<size_t>(j)], 0.0)));
  return leading_columns(vectors, rank, roots);
}

double loss(double squared_norm_of_target, const std::vector<double>& values, int64_t rank) {
  double rest = squared_norm_of_target;
  for (int64_t j = 0; j < rank; ++j) rest -= std::pow(std::max(values[static_cast<size_t>(j)], 0.0), 2);
  return std::max(rest, 0.0);
}

Factorization full(const Target& target, const SolverOptions& options) {
  const linalg::SymmetricEigen eigen =
      linalg::symmetric_eigen(target.sparse() ? target.csr().to_dense() : target.dense());
  const double norm = target.squared_norm();
  Factorization result;
  result.w = factors(eigen.vectors, eigen.values, options.rank);
  result.losses = {norm, loss(norm, eigen.values, options.rank)};
  result.iterations = 1;
  result.converged = true;
  if (options.progress) options.progress({.iteration = 1, .loss = result.losses.back(), .relative_change = 0});
  return result;
}

std::vector<double> column_norms(const Matrix64& matrix) {
  std::vector<double> norms(static_cast<size_t>(matrix.cols()), 0.0);
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t j = 0; j < matrix.cols(); ++j) norms[static_cast<size_t>(j)] += matrix(i, j) * matrix(i, j);
  }
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

// Takes out what `basis` spans, twice for accuracy, and gives every column length 1, or 0 if next to nothing is left.
void orthogonalize_against(const Matrix64& basis, Matrix64& block, int threads) {
  for (int pass = 0; pass < 2; ++pass) {
    const auto before = column_norms(block);
    const Matrix64 inside = linalg::matmul(basis, linalg::matmul_transposed(basis, block, threads), threads);
    for (int64_t i = 0; i < block.size(); ++i) block.mutable_data()[i] -= inside.data()[i];
    const auto after = column_norms(block);
    std::vector<double> scale(after.size(), 0.0);
    for (size_t j = 0; j < after.size(); ++j)
      scale[j] = after[j] > 1e-14 * before[j] && after[j] > 0 ? 1 / after[j] : 0;
    block = leading_columns(block, block.cols(), scale);
  }
}

Matrix64 side_by_side(const Matrix64& a, const Matrix64& b) {
  Matrix64 joined(a.rows(), a.cols() + b.cols());
  for (int64_t i = 0; i < a.rows(); ++i) {
    std::ranges::copy(a.row(i), joined.mutable_row(i).begin());
    std::ranges::copy(b.row(i), joined.mutable_row(i).begin() + a.cols());
  }
  return joined;
}

struct RitzPairs {
  Matrix64 vectors;  // [N, block], orthonormal or zero
  Matrix64 product;  // A vectors
  std::vector<double> values;
};

RitzPairs rayleigh_ritz(const Target& target, const Matrix64& basis, int64_t count, int threads) {
  const Matrix64 product = target.multiply(basis, threads);
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(linalg::matmul_transposed(basis, product, threads));
  const Matrix64 chosen = leading_columns(eigen.vectors, count, std::vector<double>(static_cast<size_t>(count), 1.0));
  return {linalg::matmul(basis, chosen, threads),
          linalg::matmul(product, chosen, threads),
          {eigen.values.begin(), eigen.values.begin() + count}};
}

Matrix64 residuals(const RitzPairs& ritz) {
  Matrix64 residual = ritz.product;
  for (int64_t i = 0; i < residual.rows(); ++i) {
    for (int64_t j = 0; j < residual.cols(); ++j) {
      residual(i, j) -= ritz.vectors(i, j) * ritz.values[static_cast<size_t>(j)];
    }
  }
  return residual;
}

void fix_signs(Matrix64& vectors) {
  for (int64_t j = 0; j < vectors.cols(); ++j) {
    double largest = 0;
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      if (std::abs(vectors(i, j)) > std::abs(largest)) largest = vectors(i, j);
    }
    if (largest >= 0) continue;
    for (int64_t i = 0; i < vectors.rows(); ++i) vectors(i, j) = -vectors(i, j);
  }
}

Factorization iterative(const Target& target, const SolverOptions& options) {
  const int threads = options.threads;
  const int64_t rank = options.rank;
  const int64_t block = std::min(rank + std::max<int64_t>(4, rank / 4), target.rows());
  Matrix64 start(target.rows(), block);
  for (int64_t i = 0; i < start.rows(); ++i) {
    Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(i), .view = kBlockStream});
    for (double& value : start.mutable_row(i)) value = rng.normal();
  }
  const double norm = target.squared_norm();
  RitzPairs ritz = rayleigh_ritz(target, linalg::orthonormalize(start, threads), block, threads);
  Matrix64 last = start;
  Factorization result;
  result.losses.push_back(norm);
  while (result.iterations < options.max_iterations) {
    Matrix64 directions = side_by_side(residuals(ritz), last);
    orthogonalize_against(ritz.vectors, directions, threads);
    directions = linalg::orthonormalize(directions, threads);
    orthogonalize_against(ritz.vectors, directions, threads);
    last = ritz.vectors;
    ritz = rayleigh_ritz(target, side_by_side(ritz.vectors, directions), block, threads);

    const auto errors = column_norms(residuals(ritz));
    const double worst = *std::max_element(errors.begin(), errors.begin() + rank);
    const double scale = std::max(std::abs(ritz.values.front()), std::sqrt(norm / static_cast<double>(target.rows())));
    const double change = scale > 0 ? worst / scale : 0;
    result.losses.push_back(loss(norm, ritz.values, rank));
    ++result.iterations;
    result.converged = change <= options.tolerance;
    const SolverStep step{.iteration = result.iterations, .loss = result.losses.back(), .relative_change = change};
    if ((options.progress && !options.progress(step)) || result.converged) break;
  }
  fix_signs(ritz.vectors);
  result.w = factors(ritz.vectors, ritz.values, rank);
  return result;
}

}  // namespace

Factorization spectral(const Target& target, const SolverOptions& options) {
  check_problem(target, options);
  const int64_t widest = 3 * (options.rank + std::max<int64_t>(4, options.rank / 4));
  return target.rows() <= std::max(kFullSize, widest) ? full(target, options) : iterative(target, options);
}

Matrix64 random_rotation(int64_t k, uint64_t seed) {
  Matrix64 rotation(k, k);
  Rng rng({.seed = seed, .view = kRotationStream});
  for (int64_t i = 0; i < k; ++i) {
    double norm = 0;
    while (norm < 1e-3) {  // Gram-Schmidt on Gaussian rows; a row almost inside the span of the others is drawn again
      for (double& value : rotation.mutable_row(i)) value = rng.normal();
      for (int pass = 0; pass < 2; ++pass) {
        for (int64_t before = 0; before < i; ++before) {
          double inner = 0;
          for (int64_t j = 0; j < k; ++j) inner += rotation(i, j) * rotation(before, j);
          for (int64_t j = 0; j < k; ++j) rotation(i, j) -= inner * rotation(before, j);
        }
      }
      norm = 0;
      for (const double value : rotation.row(i)) norm += value * value;
      norm = std::sqrt(norm);
    }
    for (double& value : rotation.mutable_row(i)) value /= norm;
  }
  return rotation;
}

}  // namespace orthant::factorize
