#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"

namespace orthant {

// A sparse matrix [rows, cols] in compressed sparse row form, always valid:
// indptr has rows + 1 entries, starts at 0, never falls and ends at nnz(); within a row the column indices are
// strictly rising and below cols. Explicit zeros are allowed. It either owns its arrays or borrows them read-only from
// something that `owner` keeps alive, such as a memory-mapped file, whose bytes must then stay as they are. Copying
// copies owned arrays and shares borrowed ones. Reading from several threads is safe.
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

  // Read-only view of three arrays, verified as above; `owner`, which is not null, lives as long as any copy of the
  // view.
  static CsrMatrix borrow(int64_t rows, int64_t cols, std::span<const int64_t> indptr, std::span<const int32_t> indices,
                          std::span<const T> values, std::shared_ptr<const void> owner) {
    CsrMatrix view;
    view.rows_ = rows;
    view.cols_ = cols;
    view.borrowed_ = {indptr, indices, values};
    view.owner_ = std::move(owner);
    view.validate();
    return view;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t nnz() const { return static_cast<int64_t>(values().size()); }
  bool owned() const { return owner_ == nullptr; }

  std::span<const int64_t> indptr() const { return owned() ? std::span<const int64_t>(indptr_) : borrowed_.indptr; }
  std::span<const int32_t> indices() const { return owned() ? std::span<const int32_t>(indices_) : borrowed_.indices; }
  std::span<const T> values() const { return owned() ? std::span<const T>(values_) : borrowed_.values; }
  // For owned matrices only: std::invalid_argument on a borrowed one.
  std::span<T> mutable_values() {
    check(owned(), "[SparseMatrix] expected an owned matrix to write to, got a read-only view");
    return values_;
  }

  struct Row {
    std::span<const int32_t> indices;
    std::span<const T> values;
  };
  Row row(int64_t i) const {
    const auto starts = indptr();
    const auto begin = static_cast<size_t>(starts[static_cast<size_t>(i)]);
    const auto count = static_cast<size_t>(starts[static_cast<size_t>(i) + 1]) - begin;
    return {indices().subspan(begin, count), values().subspan(begin, count)};
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

  bool operator==(const CsrMatrix& other) const {
    return rows_ == other.rows_ && cols_ == other.cols_ && std::ranges::equal(indptr(), other.indptr()) &&
           std::ranges::equal(indices(), other.indices()) && std::ranges::equal(values(), other.values());
  }

 private:
  void validate() const {
    const auto where = "[SparseMatrix] ";
    check(rows_ >= 0 && cols_ >= 0 && cols_ <= INT32_MAX, where, "expected sizes from 0 to 2^31-1 columns, got ", rows_,
          " x ", cols_);
    const auto starts = indptr();
    check(static_cast<int64_t>(starts.size()) - 1 == rows_, where, "expected indptr of ", rows_, " + 1 entries, got ",
          starts.size());
    check(indices().size() == values().size(), where, "expected as many indices as values (", values().size(),
          "), got ", indices().size());
    check(starts.front() == 0 && starts.back() == nnz(), where, "expected indptr from 0 to ", nnz(), ", got ",
          starts.front(), " to ", starts.back());
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      check(starts[i] <= starts[i + 1], where, "expected indptr to rise, got ", starts[i + 1], " after ", starts[i],
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

  struct Borrowed {
    std::span<const int64_t> indptr;
    std::span<const int32_t> indices;
    std::span<const T> values;
  };
  Borrowed borrowed_;
  std::shared_ptr<const void> owner_;  // null: the vectors hold the arrays
};

using SparseMatrix = CsrMatrix<float>;
using SparseMatrix64 = CsrMatrix<double>;

}  // namespace orthant
