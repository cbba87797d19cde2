#include "orthant/adapt/align.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/products.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kMapStream = 0xff27;
constexpr int64_t kMostRows = 20'000;

std::vector<int64_t> rows_to_fit(const AdaptRecipe& recipe, const Material& material) {
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < material.vectors.rows(); ++i) {
    if (!std::ranges::binary_search(material.held_out, i)) rows.push_back(i);
  }
  if (std::ssize(rows) <= kMostRows) return rows;
  Rng rng({.seed = static_cast<uint64_t>(recipe.train.seed), .view = kMapStream});
  rng.shuffle(std::span<int64_t>(rows));
  rows.resize(kMostRows);
  std::ranges::sort(rows);
  return rows;
}

// The penalty of least generalised cross-validation error, of eigenvalues s of Y'Y and squared rows c of V'Y'X.
double best_penalty(const std::vector<double>& s, const std::vector<double>& c, double squares, double rows) {
  double mean = 0;
  for (const double value : s) mean += std::max(0.0, value) / static_cast<double>(s.size());
  double best = mean;
  double least = std::numeric_limits<double>::infinity();
  for (int step = -8; step <= 6; ++step) {
    const double penalty = mean * std::pow(10.0, step / 2.0);
    double error = squares;
    double freedom = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      const double value = std::max(0.0, s[i]);
      const double by = 1 / (value + penalty);
      error -= c[i] * by * (2 - value * by);
      freedom += value * by;
    }
    const double left = 1 - freedom / rows;
    if (left < 1e-6) continue;
    const double judged = error / (left * left);
    if (judged < least) {
      least = judged;
      best = penalty;
    }
  }
  return best;
}

}  // namespace

bool wants_map(const AdaptRecipe& recipe, int64_t first_dims, int64_t second_dims) {
  return recipe.adapter.align == "linear" || (recipe.adapter.align == "auto" && first_dims != second_dims);
}

void fit_map(const AdaptRecipe& recipe, const Material& material, Adapter& adapter) {
  const Vectors& first = material.vectors;
  const Vectors& second = *material.with;
  const auto threads = static_cast<int>(recipe.train.threads);
  const std::vector<int64_t> rows = rows_to_fit(recipe, material);
  Matrix64 x(std::ssize(rows), adapter.dims);
  Matrix64 y(std::ssize(rows), second.dims());
  std::vector<float> vector(static_cast<size_t>(std::max(first.dims(), second.dims())));
  Floats prepared(static_cast<size_t>(adapter.stride));
  for (size_t n = 0; n < rows.size(); ++n) {
    const auto at = static_cast<int64_t>(n);
    first.read(rows[n], 1, vector.data());
    adapter.prepare(std::span(vector).first(static_cast<size_t>(first.dims())), prepared.data());
    for (int64_t j = 0; j < adapter.dims; ++j) x(at, j) = static_cast<double>(prepared[static_cast<size_t>(j)]);
    second.read(rows[n], 1, vector.data());
    const auto own = std::span<const float>(vector).first(static_cast<size_t>(second.dims()));
    const double factor = adapter.length_factor(own);
    for (int64_t i = 0; i < second.dims(); ++i) {
      const auto k = static_cast<size_t>(i);
      y(at, i) = static_cast<double>(own[k]) * factor - static_cast<double>(adapter.mean_b[k]);
    }
  }
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(linalg::gram(y, threads));
  // V' Y' X [D_b, D]: each row is what one direction of the second says of the first.
  Matrix64 across = linalg::matmul_transposed(eigen.vectors, linalg::matmul_transposed(y, x, threads), threads);
  std::vector<double> squares;
  for (int64_t i = 0; i < across.rows(); ++i) {
    double sum = 0;
    for (const double value : across.row(i)) sum += value * value;
    squares.push_back(sum);
  }
  const double length = linalg::squared_norm(x);
  const double penalty = best_penalty(eigen.values, squares, length, static_cast<double>(rows.size()));
  double mapped = 0;  // squared length of all mapped rows
  for (int64_t i = 0; i < across.rows(); ++i) {
    const double value = std::max(0.0, eigen.values[static_cast<size_t>(i)]);
    const double by = 1 / (value + penalty);
    mapped += squares[static_cast<size_t>(i)] * value * by * by;
    for (double& entry : across.mutable_row(i)) entry *= by;
  }
  check(mapped > 0, "[", second.path(), "] expected vectors that go with those of ", first.path(),
        ", got some that say nothing of them");
  const Matrix64 map = linalg::matmul_transposed(across, linalg::transpose(eigen.vectors), threads);  // [D, D_b]
  const double louder = std::sqrt(length / mapped);
  adapter.dims_b = second.dims();
  adapter.map_b.resize(static_cast<size_t>(map.rows() * map.cols()));
  for (int64_t j = 0; j < map.rows(); ++j) {
    for (int64_t i = 0; i < map.cols(); ++i) {
      adapter.map_b[static_cast<size_t>(j * map.cols() + i)] = static_cast<float>(map(j, i) * louder);
    }
  }
}

}  // namespace orthant::adapt
