#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::fit {

// Codes [N, D] by column, exact zeros left out: what the measures against factors work on. Dense and sparse features
// with the same values give the same columns, and therefore the same scores. Owns its memory, 8 bytes per non-zero;
// reading from several threads is safe.
class CodeColumns {
 public:
  // Throws std::invalid_argument for NaN or infinity, with its place, and for more than 2^31 - 1 rows.
  explicit CodeColumns(const Features& codes);

  struct Column {
    std::span<const int32_t> rows;  // rising
    std::span<const float> values;  // none of them 0
  };

  int64_t rows() const { return rows_; }
  int64_t cols() const { return static_cast<int64_t>(start_.size()) - 1; }
  Column column(int64_t j) const;

  // Whether column j holds one value only, zero or not.
  bool constant(int64_t j) const;

 private:
  int64_t rows_ = 0;
  std::vector<int64_t> start_;  // [D + 1]
  std::vector<int32_t> row_of_;
  std::vector<float> values_;
};

// The given rows of codes [N, D], in that order, exact zeros left out. Throws std::invalid_argument for a row outside
// 0..N-1, and for NaN or infinity in one of them, with its place in `codes`.
SparseMatrix gather_rows(const Features& codes, std::span<const int64_t> rows);

}  // namespace orthant::fit
