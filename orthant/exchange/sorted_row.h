#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/sparse_matrix.h"

namespace orthant::exchange {

// The entries of one row as they come from a file, in any order.
class SortedRow {
 public:
  void clear() { entries_.clear(); }
  void add(int32_t column, float value) { entries_.emplace_back(column, value); }

  // By rising column; valid until the next call of anything. IoError naming the file and its row for a column that came
  // twice or a value that is NaN or infinite.
  SparseMatrix::Row sorted(const std::string& name, int64_t row);

 private:
  std::vector<std::pair<int32_t, float>> entries_;
  std::vector<int32_t> indices_;
  std::vector<float> values_;
};

}  // namespace orthant::exchange
