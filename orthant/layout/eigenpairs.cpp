#include "orthant/layout/eigenpairs.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"

extern "C" void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* w,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);

namespace orthant::layout {

Eigenpairs largest_eigenpairs(Matrix64& symmetric) {
  check(std::ranges::all_of(symmetric.values(), [](double x) { return std::isfinite(x); }),
        "[layout] expected finite features, got some that are not");
  const auto n = static_cast<int>(symmetric.rows());
  std::vector<double> values(static_cast<size_t>(n));
  std::vector<double> work(1 + static_cast<size_t>(n) * (6 + 2 * static_cast<size_t>(n)));
  std::vector<int> integers(3 + 5 * static_cast<size_t>(n));
  const auto room = static_cast<int>(work.size());
  const auto integer_room = static_cast<int>(integers.size());
  int info = 0;
  const OneThread one;
  // All of them: dsyevr, which could stop at two, finds none of many equal eigenvalues.
  dsyevd_("V", "U", &n, symmetric.mutable_data(), &n, values.data(), work.data(), &room, integers.data(), &integer_room,
          &info);
  check(info == 0, "[layout] expected the eigenvectors of the covariance, got LAPACK's code ", info);
  Eigenpairs pairs{.values = std::vector<double>(2), .vectors = Matrix64(2, n)};
  for (int64_t c = 0; c < std::min(n, 2); ++c) {
    pairs.values[static_cast<size_t>(c)] = values[static_cast<size_t>(n - 1 - c)];
    std::ranges::copy(symmetric.row(n - 1 - c), pairs.vectors.mutable_row(c).begin());
  }
  return pairs;
}

}  // namespace orthant::layout
