#include <cstdio>

#include "orthant/core/rng.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/core/version.h"

// Uses the headers (templates) and the library (Rng, version) of an installed Orthant.
int main() {
  orthant::Matrix features(4, 5);
  orthant::Rng rng(1);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 2; ++j) features(i, j) = 1.0F + static_cast<float>(rng.uniform());
  }
  const auto sparse = orthant::SparseMatrix::from_dense(features);
  std::printf("orthant %s: %lld of %lld features are zero\n", orthant::version(),
              static_cast<long long>(features.size() - sparse.nnz()), static_cast<long long>(features.size()));
}
