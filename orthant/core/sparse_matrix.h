#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"

namespace orthant {

// A sparse matrix [rows, cols] in compressed sparse row form, always valid:
// indptr has rows + 1 entries, starts at 0, never falls and ends at nnz(); within a row the column indices are
// strictly rising and below cols. Explicit zeros are allowed. Reading from several threads is safe.
template <class T>
class CsrMatrix {
 public:
  CsrMatrix() : indptr_(1, 0) {}

  // Takes the three arrays over and verifies them; throws std::invalid_argument that says which rule is broken and
  // where. Readers of files turn that into IoError with the file's name.
  CsrMatrix(int64_t rows, int64_t cols, std::vector<int64_t> indptr, std::vector<int32_t> indices,
            std::vector<T> values)
      : rows_(rows), cols_(cols), indptr_(std::move(indptr)), indices_(std::move(indices)), values_(std::move(values)) {
    validate();
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t nnz() const { return static_cast<int64_t>(values_.size()); }

  std::span<const int64_t> indptr() const { return indptr_; }
  std::span<const int32_t> indices() const { return indices_; }
  std::span<const T> values() const { return values_; }
  std::span<T> mutable_values() { return values_; }

  struct Row {
    std::span<const int32_t> indices;
    std::span<const T> values;
  };
  Row row(int64_t i) const {
    const auto begin = static_cast<size_t>(indptr_[static_cast<size_t>(i)]);
    const auto count = static_cast<size_t>(indptr_[static_cast<size_t>(i) + 1]) - begin;
    return {std::span(indices_).subspan(begin, count), std::span(values_).subspan(begin, count)};
  }

  // Keeps the entries with |x| > threshold, so 0 keeps every non-zero (NaN is kept: nothing is hidden).
  static CsrMatrix from_dense(const DenseMatrix<T>& dense, T threshold = 0) {
    CsrMatrix sparse;
    sparse.rows_ = dense.rows();
    sparse.cols_ = dense.cols();
    check(dense.cols() <= INT32_MAX, "[SparseMatrix] expected at most 2^31-1 columns, got ", dense.cols());
    sparse.indptr_.reserve(static_cast<size_t>(dense.rows()) + 1);
    for (int64_t i = 0; i < dense.rows(); ++i) {
      const auto row = dense.row(i);
      for (size_t j = 0; j < row.size(); ++j) {
        if (row[j] >= -threshold && row[j] <= threshold) continue;
        sparse.indices_.push_back(static_cast<int32_t>(j));
        sparse.values_.push_back(row[j]);
      }
      sparse.indptr_.push_back(sparse.nnz());
    }
    return sparse;
  }

  DenseMatrix<T> to_dense() const {
    DenseMatrix<T> dense(rows_, cols_);
    for (int64_t i = 0; i < rows_; ++i) {
      const Row r = row(i);
      for (size_t k = 0; k < r.indices.size(); ++k) dense(i, r.indices[k]) = r.values[k];
    }
    return dense;
  }

  bool operator==(const CsrMatrix&) const = default;

 private:
  void validate() const {
    const auto where = "[SparseMatrix] ";
    check(rows_ >= 0 && cols_ >= 0 && cols_ <= INT32_MAX, where, "expected sizes from 0 to 2^31-1 columns, got ", rows_,
          " x ", cols_);
    check(static_cast<int64_t>(indptr_.size()) - 1 == rows_, where, "expected indptr of ", rows_, " + 1 entries, got ",
          indptr_.size());
    check(indices_.size() == values_.size(), where, "expected as many indices as values (", values_.size(), "), got ",
          indices_.size());
    check(indptr_.front() == 0 && indptr_.back() == nnz(), where, "expected indptr from 0 to ", nnz(), ", got ",
          indptr_.front(), " to ", indptr_.back());
    for (size_t i = 0; i + 1 < indptr_.size(); ++i) {
      check(indptr_[i] <= indptr_[i + 1], where, "expected indptr to rise, got ", indptr_[i + 1], " after ", indptr_[i],
            " at row ", i);
    }
    for (int64_t i = 0; i < rows_; ++i) {
      int32_t previous = -1;
      for (const int32_t j : row(i).indices) {
        check(j > previous && j < cols_, where, "expected rising column indices below ", cols_, " in row ", i, ", got ",
              j, " after ", previous);
        previous = j;
      }
    }
  }

  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::vector<int64_t> indptr_;
  std::vector<int32_t> indices_;
  std::vector<T> values_;
};

using SparseMatrix = CsrMatrix<float>;
using SparseMatrix64 = CsrMatrix<double>;

}  // namespace orthant
