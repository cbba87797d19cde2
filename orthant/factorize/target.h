#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::factorize {

// The matrix A [N, M] that a solver factorises, dense or sparse behind one face. A value that is cheap to copy: copies
// share the elements, which never change. Every call is safe from several threads.
//
// Products are split over fixed blocks of rows of the result, so they are the same to the last bit for every number of
// threads. `threads` is a request as in resolve_threads(); 0: what the machine offers.
class Target {
 public:
  Target(Matrix64 dense);         // NOLINT(google-explicit-constructor): a matrix is a target
  Target(SparseMatrix64 sparse);  // NOLINT(google-explicit-constructor)
  explicit Target(const Matrix& dense);
  explicit Target(const SparseMatrix& sparse);

  int64_t rows() const;
  int64_t cols() const;
  int64_t nnz() const;  // stored entries: rows * cols if dense
  bool sparse() const;

  // The matrix itself. std::invalid_argument if it is of the other kind.
  const Matrix64& dense() const;
  const SparseMatrix64& csr() const;
  // A^T as CSR, made at the first call and kept (as much memory again). std::invalid_argument if dense.
  const SparseMatrix64& transposed_csr() const;

  // A B [N, K] for B [M, K], and A^T B [M, K] for B [N, K]. Work: 2 nnz K operations. std::invalid_argument if the
  // sizes do not fit. The second form of each writes to `out`, which must have the right size already and must not be
  // `b`; it allocates nothing (except that the first multiply_transposed() of a sparse target makes the transpose).
  Matrix64 multiply(const Matrix64& b, int threads = 0) const;
  Matrix64 multiply_transposed(const Matrix64& b, int threads = 0) const;
  void multiply(const Matrix64& b, Matrix64& out, int threads = 0) const;
  void multiply_transposed(const Matrix64& b, Matrix64& out, int threads = 0) const;

  double sum() const;           // of all entries
  double squared_norm() const;  // ||A||_F^2
  // A_ii for i below min(N, M).
  std::vector<double> diagonal() const;

  // Each throws std::invalid_argument naming `where`, the first offending entry in row order, and its value:
  //   [where] expected finite values, got nan at (3, 7)
  //   [where] expected no negative entries, got -0.5 at (3, 7)
  //   [where] expected a symmetric matrix, got 0.5 at (3, 7) but 0.25 at (7, 3)
  // check_nonnegative() also refuses values that are not finite. Two entries count as equal if they differ by no more
  // than 1e-9 of the larger, so that a matrix normalised in floating point passes (float32 files: 1e-5 is allowed with
  // `tolerance`).
  void check_finite(const std::string& where) const;
  void check_nonnegative(const std::string& where) const;
  void check_symmetric(const std::string& where, double tolerance = 1e-9) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace orthant::factorize
