#include "orthant/layout/eigenpairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"

extern "C" void dsyevr_(const char* job, const char* range, const char* triangle, const int* n, double* a,
                        const int* lda, const double* low, const double* high, const int* first, const int* last,
                        const double* tolerance, int* found, double* w, double* z, const int* ldz, int* support,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);

namespace orthant::layout {

Eigenpairs largest_eigenpairs(Matrix64& symmetric) {
  check(std::ranges::all_of(symmetric.values(), [](double x) { return std::isfinite(x); }),
        "[layout] expected finite features, got some that are not");
  const auto n = static_cast<int>(symmetric.rows());
  const int wanted = std::min(n, 2);
  const int first = n - wanted + 1;
  const double unused = 0;
  int found = 0;
  int info = 0;
  std::vector<double> values(static_cast<size_t>(n));
  Matrix64 vectors(wanted, n);
  std::array<int, 4> support{};
  std::vector<int> integers(static_cast<size_t>(n) * 10);
  const auto integer_room = static_cast<int>(integers.size());
  std::vector<double> work(static_cast<size_t>(n) * 64);
  const auto room = static_cast<int>(work.size());
  const OneThread one;
  dsyevr_("V", "I", "U", &n, symmetric.mutable_data(), &n, &unused, &unused, &first, &n, &unused, &found, values.data(),
          vectors.mutable_data(), &n, support.data(), work.data(), &room, integers.data(), &integer_room, &info);
  check(info == 0 && found == wanted, "[layout] expected the eigenvectors of the covariance, got LAPACK's code ", info);
  Eigenpairs pairs{.values = std::vector<double>(2), .vectors = Matrix64(2, n)};
  for (int c = 0; c < wanted; ++c) {
    pairs.values[static_cast<size_t>(c)] = values[static_cast<size_t>(wanted - 1 - c)];
    std::ranges::copy(vectors.row(wanted - 1 - c), pairs.vectors.mutable_row(c).begin());
  }
  return pairs;
}

}  // namespace orthant::layout
