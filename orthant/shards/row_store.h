#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/shards/spool.h"

namespace orthant::shards {

struct FinishOptions {
  bool keep_zeros = false;  // entries of -0, so that nothing at all is lost; they count as 0 otherwise
  // Row i of the result is the order(i)-th that was appended; empty: in their order.
  std::function<int64_t(int64_t i)> order = {};
};

// Rows of features that come one after the other and become a matrix in the end, larger than memory if need be: what
// is kept of a row are its entries that are not 0, and eight bytes. One thread at a time.
class RowStore {
 public:
  explicit RowStore(SpoolOptions options = {});

  void append(std::span<const float> row);
  void append(const SparseMatrix::Row& row);
  int64_t rows() const { return std::ssize(indptr_) - 1; }

  // All rows as one matrix of `cols` columns: sparse if that takes less memory (eight bytes for each entry and row
  // against four for each place), otherwise dense. Once, last. std::invalid_argument if a row had more columns.
  std::variant<Matrix, SparseMatrix> finish(int64_t cols, const FinishOptions& how = {});

 private:
  SparseMatrix as_appended(int64_t cols);
  void add(int32_t column, float value);
  void end_row();

  SpoolOptions options_;
  std::vector<int64_t> indptr_ = {0};
  Spool indices_;
  Spool values_;
  int64_t filled_ = 0;  // entries that are not 0
  int64_t zeros_ = 0;   // entries of -0
  // Of the row in the making.
  std::vector<int32_t> row_indices_;
  std::vector<float> row_values_;
};

}  // namespace orthant::shards
