#include "orthant/exchange/sorted_row.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::exchange {

SparseMatrix::Row SortedRow::sorted(const std::string& name, int64_t row) {
  const auto by_column = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::ranges::is_sorted(entries_, by_column)) std::ranges::sort(entries_, by_column);
  indices_.clear();
  values_.clear();
  for (const auto& [column, value] : entries_) {
    check_io(indices_.empty() || indices_.back() != column, "[", name, "] expected each column once in a row, got ",
             column, " twice in row ", row);
    check_io(std::isfinite(value), "[", name, "] expected finite values, got ", value, " in row ", row, ", column ",
             column);
    indices_.push_back(column);
    values_.push_back(value);
  }
  return {indices_, values_};
}

}  // namespace orthant::exchange
