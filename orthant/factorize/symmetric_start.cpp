#include "orthant/factorize/symmetric_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/factorize/rectangular_start.h"
#include "orthant/factorize/spectral.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr uint16_t kStartStream = 0xff12;

void clear_empty_rows(const Target& target, Matrix64& f) {
  const std::vector<double> sums = row_sums(target);
  for (int64_t i = 0; i < f.rows(); ++i) {
    if (sums[static_cast<size_t>(i)] == 0) std::ranges::fill(f.mutable_row(i), 0.0);
  }
}

void fill_random(Matrix64& f, uint64_t seed) {
  for (int64_t i = 0; i < f.rows(); ++i) {
    Rng rng({.seed = seed, .sample = static_cast<uint64_t>(i), .view = kStartStream});
    for (double& value : f.mutable_row(i)) value = std::max(rng.uniform(), 1e-6);
  }
}

// NNDSVD for a symmetric matrix: of each eigenvector the sign that carries more. A column without an eigenvalue above
// zero starts at random, as no solver can revive a column of zeros.
Matrix64 dominant_signs(const Target& target, const SolverOptions& options) {
  SolverOptions eigen_options = options;
  eigen_options.max_iterations = 100;
  eigen_options.tolerance = 1e-6;
  eigen_options.progress = {};
  Matrix64 f = spectral(target, eigen_options).w;
  Matrix64 random(f.rows(), f.cols());
  fill_random(random, options.seed);
  const double scale = 0.01 * std::sqrt(linalg::squared_norm(f) / static_cast<double>(std::max<int64_t>(f.size(), 1)));
  for (int64_t j = 0; j < f.cols(); ++j) {
    double positive = 0;
    double negative = 0;
    for (int64_t i = 0; i < f.rows(); ++i) (f(i, j) > 0 ? positive : negative) += f(i, j) * f(i, j);
    const double sign = positive >= negative ? 1 : -1;
    const bool empty = positive + negative == 0;
    for (int64_t i = 0; i < f.rows(); ++i) f(i, j) = empty ? scale * random(i, j) : std::max(sign * f(i, j), 0.0);
  }
  return f;
}

}  // namespace

void check_symmetric_problem(const Target& target, const SolverOptions& options, const std::string& where) {
  check(target.rows() == target.cols(), "[", where, "] expected a square matrix, got ", target.rows(), " x ",
        target.cols());
  check_problem(target, options, where);
  target.check_symmetric(where);
}

Matrix64 make_symmetric_start(const Target& target, const SolverOptions& options, bool positive) {
  Matrix64 f(target.rows(), options.rank);
  if (options.init == Init::nndsvd) {
    f = dominant_signs(target, options);
    double sum = 0;
    for (const double value : f.values()) sum += value;
    const double mean = sum / static_cast<double>(f.size());
    if (positive) {
      for (double& value : f.mutable_values()) value = value > 0 ? value : mean;
    }
  } else {
    fill_random(f, options.seed);
  }
  clear_empty_rows(target, f);
  const double fitted = linalg::squared_norm(linalg::gram(f, options.threads));
  const double scale = fitted > 0 ? std::sqrt(linalg::dot(f, target.multiply(f, options.threads)) / fitted) : 0;
  for (double& value : f.mutable_values()) value *= scale;
  return f;
}

Matrix64 check_symmetric_start(const Target& target, Matrix64 start, const SolverOptions& options,
                               const std::string& where) {
  check(start.rows() == target.rows() && start.cols() == options.rank, "[", where, "] expected a start of ",
        target.rows(), " x ", options.rank, ", got ", start.rows(), " x ", start.cols());
  check(std::ranges::all_of(start.values(), [](double x) { return std::isfinite(x) && x >= 0; }), "[", where,
        "] expected a start that is finite and not negative, got one that is not");
  Matrix64 f = start.owned() ? std::move(start) : start.to_owned();
  clear_empty_rows(target, f);
  return f;
}

std::vector<double> row_sums(const Target& target) {
  Matrix64 ones(target.cols(), 1);
  std::ranges::fill(ones.mutable_values(), 1.0);
  const Matrix64 sums = target.multiply(ones);
  return {sums.values().begin(), sums.values().end()};
}

double symmetric_loss(double squared_norm_of_target, const Matrix64& f, const Matrix64& product,
                      const Matrix64& f_gram) {
  return std::max(squared_norm_of_target - 2 * linalg::dot(f, product) + linalg::squared_norm(f_gram), 0.0);
}

}  // namespace orthant::factorize
