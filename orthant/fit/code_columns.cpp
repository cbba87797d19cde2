#include "orthant/fit/code_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"

namespace orthant::fit {
namespace {

void check_entry(float x, int64_t row, int64_t column) {
  check(std::isfinite(x), "[codes] expected finite features, got ", x, " in row ", row, ", column ", column);
}

}  // namespace

CodeColumns::CodeColumns(const Features& codes) : rows_(codes.rows()) {
  check(rows_ <= INT32_MAX, "[codes] expected at most 2^31-1 rows, got ", rows_);
  start_.assign(static_cast<size_t>(codes.cols()) + 1, 0);
  for (int64_t i = 0; i < rows_; ++i) {
    codes.visit_row(i, [&](int64_t j, float x) {
      check_entry(x, i, j);
      start_[static_cast<size_t>(j) + 1] += x != 0;
    });
  }
  for (size_t j = 1; j < start_.size(); ++j) start_[j] += start_[j - 1];
  row_of_.resize(static_cast<size_t>(start_.back()));
  values_.resize(row_of_.size());
  std::vector<int64_t> next(start_.begin(), start_.end() - 1);
  for (int64_t i = 0; i < rows_; ++i) {
    codes.visit_row(i, [&](int64_t j, float x) {
      if (x == 0) return;
      const auto at = static_cast<size_t>(next[static_cast<size_t>(j)]++);
      row_of_[at] = static_cast<int32_t>(i);
      values_[at] = x;
    });
  }
}

CodeColumns::Column CodeColumns::column(int64_t j) const {
  const auto begin = static_cast<size_t>(start_[static_cast<size_t>(j)]);
  const auto count = static_cast<size_t>(start_[static_cast<size_t>(j) + 1]) - begin;
  return {std::span(row_of_).subspan(begin, count), std::span(values_).subspan(begin, count)};
}

bool CodeColumns::constant(int64_t j) const {
  const auto values = column(j).values;
  if (values.empty()) return true;
  return static_cast<int64_t>(values.size()) == rows_ &&
         std::ranges::all_of(values, [&](float x) { return x == values.front(); });
}

SparseMatrix gather_rows(const Features& codes, std::span<const int64_t> rows) {
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (const int64_t i : rows) {
    check(i >= 0 && i < codes.rows(), "[codes] expected rows from 0 to ", codes.rows(), " - 1, got ", i);
    codes.visit_row(i, [&](int64_t j, float x) {
      check_entry(x, i, j);
      if (x == 0) return;
      indices.push_back(static_cast<int32_t>(j));
      values.push_back(x);
    });
    indptr.push_back(static_cast<int64_t>(values.size()));
  }
  return {static_cast<int64_t>(rows.size()), codes.cols(), std::move(indptr), std::move(indices), std::move(values)};
}

}  // namespace orthant::fit
