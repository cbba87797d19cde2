#pragma once

#include <cstdint>
#include <vector>

#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/target.h"

namespace orthant::factorize {

struct TruncatedSvdOptions {
  int64_t rank = 16;
  int64_t oversampling = 10;     // extra directions that make the leading ones accurate
  int64_t power_iterations = 7;  // each sharpens the spectrum by one product with A and one with A^T
  uint64_t seed = 0;
  int threads = 0;
};

// A ~ U diag(values) V^T.
struct TruncatedSvd {
  Matrix64 u;                  // [N, rank]
  std::vector<double> values;  // fall
  Matrix64 v;                  // [M, rank]
};

// The leading singular triplets of a dense or sparse target by a randomised range finder (Halko, Martinsson and Tropp
// 2011). Singular values are good to about 1e-8 of the largest; triplets below that are returned as zeros. Signs are
// not defined. std::invalid_argument if rank is below 1 or above min(N, M), or an entry is not finite. The same to the
// last bit for every number of threads.
TruncatedSvd truncated_svd(const Target& target, const TruncatedSvdOptions& options);

// NNDSVD (Boutsidis and Gallopoulos 2008): a non-negative starting point W [N, rank], H [M, rank] with W H^T near A,
// from the dominant sign pattern of each singular triplet. It has exact zeros. A column whose singular value vanishes
// is filled with small random entries, as a solver could never revive a column that is zero in both factors.
Factors nndsvd(const Target& target, const TruncatedSvdOptions& options);

}  // namespace orthant::factorize
