#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"

namespace orthant {

// A dense row-major matrix [rows, cols]. It either owns its elements or borrows them read-only from
// something that `owner` keeps alive, such as a memory-mapped file: larger than memory is fine then.
// Copying copies owned elements and shares borrowed ones. Reading from several threads is safe.
template <class T>
class DenseMatrix {
 public:
  DenseMatrix() = default;

  // Owned, all zero. Throws std::invalid_argument if a size is negative or the product overflows.
  DenseMatrix(int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
    storage_.resize(static_cast<size_t>(checked_size(rows, cols)));
  }

  // Owned, taking over `values`, which must hold rows * cols elements.
  DenseMatrix(int64_t rows, int64_t cols, std::vector<T> values)
      : rows_(rows), cols_(cols), storage_(std::move(values)) {
    check(checked_size(rows, cols) == static_cast<int64_t>(storage_.size()), "[Matrix] expected ", rows, " x ", cols,
          " values, got ", storage_.size());
  }

  // Read-only view of rows * cols elements at `data`; `owner` lives as long as any copy of the view.
  static DenseMatrix borrow(const T* data, int64_t rows, int64_t cols, std::shared_ptr<const void> owner) {
    checked_size(rows, cols);
    DenseMatrix view;
    view.rows_ = rows;
    view.cols_ = cols;
    view.borrowed_ = data;
    view.owner_ = std::move(owner);
    return view;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t size() const { return rows_ * cols_; }
  bool owned() const { return borrowed_ == nullptr; }

  const T* data() const { return borrowed_ ? borrowed_ : storage_.data(); }
  std::span<const T> values() const { return {data(), static_cast<size_t>(size())}; }
  std::span<const T> row(int64_t i) const { return {data() + i * cols_, static_cast<size_t>(cols_)}; }
  const T& operator()(int64_t i, int64_t j) const { return data()[i * cols_ + j]; }

  // Writing is for owned matrices only: std::invalid_argument on a borrowed one (operator() does not check).
  T* mutable_data() {
    check(owned(), "[Matrix] expected an owned matrix to write to, got a read-only view; copy it with to_owned()");
    return storage_.data();
  }
  std::span<T> mutable_values() { return {mutable_data(), static_cast<size_t>(size())}; }
  std::span<T> mutable_row(int64_t i) { return {mutable_data() + i * cols_, static_cast<size_t>(cols_)}; }
  T& operator()(int64_t i, int64_t j) { return storage_[static_cast<size_t>(i * cols_ + j)]; }

  DenseMatrix to_owned() const { return {rows_, cols_, std::vector<T>(values().begin(), values().end())}; }

  bool operator==(const DenseMatrix& other) const {
    return rows_ == other.rows_ && cols_ == other.cols_ && std::ranges::equal(values(), other.values());
  }

 private:
  static int64_t checked_size(int64_t rows, int64_t cols) {
    const auto size = checked_multiply(rows, cols);
    check(size && *size <= INT64_MAX / static_cast<int64_t>(sizeof(T)), "[Matrix] expected sizes that fit, got ", rows,
          " x ", cols);
    return *size;
  }

  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::vector<T> storage_;
  const T* borrowed_ = nullptr;
  std::shared_ptr<const void> owner_;
};

using Matrix = DenseMatrix<float>;     // features, images' statistics: everything the tools exchange
using Matrix64 = DenseMatrix<double>;  // the theory laboratory, where identities must hold to 1e-10

}  // namespace orthant
