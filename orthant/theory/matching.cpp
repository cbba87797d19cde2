#include "orthant/theory/matching.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "orthant/core/assignment.h"
#include "orthant/core/error.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

std::vector<double> column_norms(const Matrix64& matrix) {
  std::vector<double> norms(static_cast<size_t>(matrix.cols()), 0.0);
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t j = 0; j < matrix.cols(); ++j) norms[static_cast<size_t>(j)] += matrix(i, j) * matrix(i, j);
  }
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

Matrix64 signed_cosines(const Matrix64& truth, const Matrix64& found) {
  check(truth.rows() == found.rows(), "[match_columns] expected matrices of as many rows, got ", truth.rows(), " and ",
        found.rows());
  Matrix64 cosines = linalg::matmul_transposed(truth, found);
  const auto a = column_norms(truth);
  const auto b = column_norms(found);
  for (int64_t i = 0; i < cosines.rows(); ++i) {
    for (int64_t j = 0; j < cosines.cols(); ++j) {
      const double norms = a[static_cast<size_t>(i)] * b[static_cast<size_t>(j)];
      cosines(i, j) = norms > 0 ? std::clamp(cosines(i, j) / norms, -1.0, 1.0) : 0;
    }
  }
  return cosines;
}

}  // namespace

Matrix64 column_cosines(const Matrix64& truth, const Matrix64& found) {
  Matrix64 cosines = signed_cosines(truth, found);
  for (double& value : cosines.mutable_values()) value = std::abs(value);
  return cosines;
}

MatchedColumns match_columns(const Matrix64& truth, const Matrix64& found) {
  const Matrix64 cosines = column_cosines(truth, found);
  const int64_t m = cosines.rows();
  Matrix64 cost(m, std::max(m, cosines.cols()));  // columns beyond k stand for "none"
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < cosines.cols(); ++j) cost(i, j) = -cosines(i, j);
  }
  MatchedColumns matched;
  matched.permutation = assign(cost);
  for (int64_t i = 0; i < m; ++i) {
    int64_t& partner = matched.permutation[static_cast<size_t>(i)];
    if (partner >= cosines.cols()) partner = -1;
    matched.cosine.push_back(partner < 0 ? 0 : cosines(i, partner));
  }
  if (m > 0) {
    matched.mean = std::accumulate(matched.cosine.begin(), matched.cosine.end(), 0.0) / static_cast<double>(m);
    matched.min = *std::ranges::min_element(matched.cosine);
  }
  return matched;
}

Matrix64 reorder_columns(const Matrix64& truth, const Matrix64& found) {
  const Matrix64 cosines = signed_cosines(truth, found);
  std::vector<int64_t> order = match_columns(truth, found).permutation;
  std::vector<double> sign;
  for (size_t i = 0; i < order.size(); ++i) {
    sign.push_back(order[i] >= 0 && cosines(static_cast<int64_t>(i), order[i]) < 0 ? -1 : 1);
  }
  for (int64_t j = 0; j < found.cols(); ++j) {
    if (std::ranges::find(order, j) != order.end()) continue;
    order.push_back(j);
    sign.push_back(1);
  }
  Matrix64 reordered(found.rows(), static_cast<int64_t>(order.size()));
  for (int64_t i = 0; i < reordered.rows(); ++i) {
    for (size_t j = 0; j < order.size(); ++j) {
      if (order[j] >= 0) reordered(i, static_cast<int64_t>(j)) = sign[j] * found(i, order[j]);
    }
  }
  return reordered;
}

SplitColumns split_columns(const Matrix64& truth, const Matrix64& found) {
  constexpr double kDead = 1e-3;
  constexpr double kPure = 0.99;
  constexpr double kCarries = 0.5;  // of an equal share
  SplitColumns split;
  const Matrix64 cosines = column_cosines(truth, found);
  const double total = linalg::squared_norm(found);
  if (total == 0 || truth.cols() == 0) return split;
  const auto norms = column_norms(found);
  const double largest = *std::ranges::max_element(norms);
  std::vector<char> covered(static_cast<size_t>(truth.cols()), 0);
  for (int64_t j = 0; j < found.cols(); ++j) {
    const double norm = norms[static_cast<size_t>(j)];
    if (norm <= kDead * largest) continue;
    int64_t best = 0;
    for (int64_t i = 1; i < truth.cols(); ++i) best = cosines(i, j) > cosines(best, j) ? i : best;
    split.live.push_back({norm * norm / total, cosines(best, j)});
    if (cosines(best, j) >= kPure) covered[static_cast<size_t>(best)] = 1;
  }
  std::ranges::sort(split.live, std::greater(), &SplitColumns::Column::share);
  split.worst = 1;
  for (const auto& [share, cosine] : split.live) {
    split.worst = std::min(split.worst, cosine);
    if (cosine < kPure) split.impure_share += share;
    if (share * static_cast<double>(found.cols()) < kCarries) continue;
    split.worst_carrying = split.carrying == 0 ? cosine : std::min(split.worst_carrying, cosine);
    ++split.carrying;
  }
  split.classes_covered = std::accumulate(covered.begin(), covered.end(), int64_t{0});
  return split;
}

}  // namespace orthant::theory
