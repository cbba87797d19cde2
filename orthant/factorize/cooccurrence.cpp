#include "orthant/factorize/cooccurrence.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "orthant/core/error.h"

namespace orthant::factorize {
namespace {

struct Entry {
  int32_t column;
  double value;
};

std::vector<double> inverse_roots(std::vector<double> sums) {
  for (double& sum : sums) sum = sum > 0 ? 1 / std::sqrt(sum) : 0;
  return sums;
}

// The scale of (i, j) is formed alike for (j, i), so that symmetry survives rounding.
double scaled(double value, double a, double b) { return value * (a * b); }

}  // namespace

SparseMatrix64 cooccurrence(int64_t nodes, std::span<const int32_t> from, std::span<const int32_t> to,
                            std::span<const double> weights) {
  check(nodes >= 0 && nodes <= INT32_MAX, "[cooccurrence] expected 0 to 2^31-1 nodes, got ", nodes);
  check(from.size() == to.size() && from.size() == weights.size(), "[cooccurrence] expected as many from (",
        from.size(), ") as to (", to.size(), ") and weights (", weights.size(), ")");
  std::vector<size_t> begins(static_cast<size_t>(nodes) + 1, 0);
  for (size_t e = 0; e < from.size(); ++e) {
    check(from[e] >= 0 && from[e] < nodes && to[e] >= 0 && to[e] < nodes, "[cooccurrence] expected nodes from 0 to ",
          nodes - 1, ", got ", from[e], " and ", to[e], " in pair ", e);
    check(weights[e] >= 0 && std::isfinite(weights[e]), "[cooccurrence] expected finite weights of 0 or more, got ",
          weights[e], " in pair ", e);
    ++begins[static_cast<size_t>(from[e]) + 1];
    if (from[e] != to[e]) ++begins[static_cast<size_t>(to[e]) + 1];
  }
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<Entry> entries(begins.back());
  std::vector<size_t> next = begins;
  for (size_t e = 0; e < from.size(); ++e) {
    entries[next[static_cast<size_t>(from[e])]++] = {to[e], weights[e]};
    if (from[e] != to[e]) entries[next[static_cast<size_t>(to[e])]++] = {from[e], weights[e]};
  }

  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  indptr.reserve(begins.size());
  indices.reserve(entries.size());
  values.reserve(entries.size());
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    const auto row = std::span(entries).subspan(begins[i], begins[i + 1] - begins[i]);
    std::ranges::stable_sort(row, {}, &Entry::column);
    for (size_t t = 0; t < row.size(); ++t) {
      if (t > 0 && row[t].column == row[t - 1].column) {
        values.back() += row[t].value;
      } else {
        indices.push_back(row[t].column);
        values.push_back(row[t].value);
      }
    }
    indptr.push_back(static_cast<int64_t>(indices.size()));
  }
  return {nodes, nodes, std::move(indptr), std::move(indices), std::move(values)};
}

Target normalized(const Target& target) {
  target.check_nonnegative("normalized");
  const auto ones = [](int64_t n) { return Matrix64(n, 1, std::vector<double>(static_cast<size_t>(n), 1.0)); };
  const Matrix64 row_sums = target.multiply(ones(target.cols()));
  const Matrix64 column_sums = target.multiply_transposed(ones(target.rows()));
  const auto rows = inverse_roots({row_sums.values().begin(), row_sums.values().end()});
  const auto columns = inverse_roots({column_sums.values().begin(), column_sums.values().end()});
  if (target.sparse()) {
    SparseMatrix64 result = target.csr();
    const auto values = result.mutable_values();
    for (int64_t i = 0; i < result.rows(); ++i) {
      const auto begin = static_cast<size_t>(result.indptr()[static_cast<size_t>(i)]);
      const auto end = static_cast<size_t>(result.indptr()[static_cast<size_t>(i) + 1]);
      for (size_t t = begin; t < end; ++t) {
        const auto j = static_cast<size_t>(result.indices()[t]);
        values[t] = scaled(values[t], rows[static_cast<size_t>(i)], columns[j]);
      }
    }
    return result;
  }
  Matrix64 result = target.dense().to_owned();
  for (int64_t i = 0; i < result.rows(); ++i) {
    for (int64_t j = 0; j < result.cols(); ++j) {
      result(i, j) = scaled(result(i, j), rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)]);
    }
  }
  return result;
}

}  // namespace orthant::factorize
