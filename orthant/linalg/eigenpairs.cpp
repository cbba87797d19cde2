#include "orthant/linalg/eigenpairs.h"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"

namespace orthant::linalg {
namespace {

constexpr int64_t kMostRows = 32766;  // LAPACK counts its scratch memory of 2 n^2 + 6 n + 1 numbers in 32 bits

// Eigenvalues, rising; with `vectors`, row j of `a` becomes the vector of the j-th. The lower triangle in rows is the
// upper one in LAPACK's columns. All vectors are asked for even where two would do: dsyevr, which could stop there,
// finds none of many equal eigenvalues.
std::vector<double> decompose(Matrix64& a, bool vectors, const char* where) {
  check(a.rows() == a.cols(), "[", where, "] expected a square matrix, got ", a.rows(), " x ", a.cols());
  check(a.rows() <= kMostRows, "[", where, "] expected at most ", kMostRows, " rows, got ", a.rows());
  check(std::ranges::all_of(a.values(), [](double x) { return std::isfinite(x); }), "[", where,
        "] expected finite entries, got nan or infinity");
  const auto n = static_cast<int>(a.rows());
  std::vector<double> rising(static_cast<size_t>(n));
  if (n == 0) return rising;
  const OneThread one;
  const int code = LAPACKE_dsyevd(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'U', n, a.mutable_data(), n, rising.data());
  check(code != LAPACK_WORK_MEMORY_ERROR, "[", where, "] expected room for a matrix of ", n, " rows, got none");
  check(code == 0, "[", where, "] expected the eigenvalues to converge, got LAPACK's code ", code);
  return rising;
}

}  // namespace

SymmetricEigen symmetric_eigen(const Matrix64& a) {
  Matrix64 columns = a.to_owned();
  const std::vector<double> rising = decompose(columns, true, "symmetric_eigen");
  const int64_t n = a.rows();
  SymmetricEigen result{.values = std::vector<double>(rising.rbegin(), rising.rend()), .vectors = Matrix64(n, n)};
  for (int64_t j = 0; j < n; ++j) {
    const auto vector = columns.row(n - 1 - j);
    const double largest = *std::ranges::max_element(vector, {}, [](double x) { return std::abs(x); });
    const double sign = largest < 0 ? -1.0 : 1.0;
    for (int64_t i = 0; i < n; ++i) result.vectors(i, j) = sign * vector[static_cast<size_t>(i)];
  }
  return result;
}

std::vector<double> symmetric_eigenvalues(Matrix64& a) { return decompose(a, false, "symmetric_eigenvalues"); }

Eigenpairs largest_eigenpairs(Matrix64& a) {
  const std::vector<double> rising = decompose(a, true, "largest_eigenpairs");
  const int64_t n = a.rows();
  Eigenpairs pairs{.values = std::vector<double>(2), .vectors = Matrix64(2, n)};
  for (int64_t c = 0; c < std::min<int64_t>(n, 2); ++c) {
    pairs.values[static_cast<size_t>(c)] = rising[static_cast<size_t>(n - 1 - c)];
    std::ranges::copy(a.row(n - 1 - c), pairs.vectors.mutable_row(c).begin());
  }
  return pairs;
}

}  // namespace orthant::linalg
