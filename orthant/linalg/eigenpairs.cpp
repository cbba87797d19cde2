#include "orthant/linalg/eigenpairs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"

// The one routine of LAPACK that is used, as OpenBLAS brings it. LAPACKE would be one more library
// for this one call.
extern "C" void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* w,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);

namespace orthant::linalg {
namespace {

// Eigenvalues, rising; with `vectors`, row j of `a` becomes the vector of the j-th. The lower triangle in rows is the
// upper one in LAPACK's columns. All vectors are asked for even where two would do: dsyevr, which could stop there,
// finds none of many equal eigenvalues.
std::vector<double> decompose(Matrix64& a, bool vectors, const char* where) {
  check(a.rows() == a.cols() && a.rows() <= INT32_MAX, "[", where, "] expected a square matrix, got ", a.rows(), " x ",
        a.cols());
  check(std::ranges::all_of(a.values(), [](double x) { return std::isfinite(x); }), "[", where,
        "] expected finite entries, got nan or infinity");
  const auto n = static_cast<int>(a.rows());
  std::vector<double> rising(static_cast<size_t>(n));
  if (n == 0) return rising;
  const char* const job = vectors ? "V" : "N";
  const OneThread one;
  int info = 0;
  int room = -1;  // asks how much the blocked reduction would like
  int integer_room = -1;
  double wanted = 0;
  int wanted_integers = 0;
  dsyevd_(job, "U", &n, a.mutable_data(), &n, rising.data(), &wanted, &room, &wanted_integers, &integer_room, &info);
  check(info == 0, "[", where, "] expected a size that LAPACK can work on, got ", n);
  std::vector<double> work(static_cast<size_t>(std::max(wanted, 2.0 * n + 1)));
  std::vector<int> integers(static_cast<size_t>(std::max(wanted_integers, 1)));
  room = static_cast<int>(work.size());
  integer_room = static_cast<int>(integers.size());
  dsyevd_(job, "U", &n, a.mutable_data(), &n, rising.data(), work.data(), &room, integers.data(), &integer_room, &info);
  check(info == 0, "[", where, "] expected the eigenvalues to converge, got LAPACK's code ", info);
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
