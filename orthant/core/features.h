#pragma once

#include <cstdint>
#include <string>

#include "orthant/core/embeddings.h"

namespace orthant {

// Features [N, D], dense or sparse, looked at row by row: what every measure takes. Borrows the matrix, which must
// outlive it; reading from several threads is safe. A mapped matrix is never copied as a whole.
class Features {
 public:
  Features(const Matrix& dense) : dense_(&dense) {}           // NOLINT(google-explicit-constructor)
  Features(const SparseMatrix& sparse) : sparse_(&sparse) {}  // NOLINT(google-explicit-constructor)
  Features(const Embeddings& embeddings);                     // NOLINT(google-explicit-constructor)

  int64_t rows() const { return dense_ ? dense_->rows() : sparse_->rows(); }
  int64_t cols() const { return dense_ ? dense_->cols() : sparse_->cols(); }

  // One of the two is null.
  const Matrix* dense() const { return dense_; }
  const SparseMatrix* sparse() const { return sparse_; }

  // Calls visit(column, value) for the entries of row i from left to right: all of a dense row, the stored ones of a
  // sparse row. What is not visited is zero.
  template <class Visitor>
  void visit_row(int64_t i, Visitor&& visit) const {
    if (dense_) {
      const auto row = dense_->row(i);
      for (size_t j = 0; j < row.size(); ++j) visit(static_cast<int64_t>(j), row[j]);
    } else {
      const auto row = sparse_->row(i);
      for (size_t k = 0; k < row.indices.size(); ++k) visit(int64_t{row.indices[k]}, row.values[k]);
    }
  }

  // Euclidean length of row i, summed in double.
  double row_norm(int64_t i) const;

 private:
  const Matrix* dense_ = nullptr;
  const SparseMatrix* sparse_ = nullptr;
};

// Throws std::invalid_argument that counts the NaN and infinite entries and says where the first one is; `name` (a
// file) comes first in the message.
void check_finite(const Features& features, const std::string& name);

}  // namespace orthant
