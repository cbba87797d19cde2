#pragma once

#include <cstdint>

#include "orthant/core/features.h"

namespace orthant::linalg {

struct GramOptions {
  bool unit_rows = false;  // scale rows to unit length first; a zero row stays zero
  int threads = 0;         // 0: what the machine offers
};

// Z^T Z [D, D] of features Z [N, D] in float64: the inner products of columns, exactly symmetric. One pass over the
// rows, in order; a dense matrix goes through a buffer of a few hundred rows, a sparse one is multiplied entry by
// entry, which costs N nnz^2 for rows with nnz entries. Memory: D^2. The result does not depend on the number of
// threads. std::invalid_argument if N or D is zero or D is 2^31 or more.
Matrix64 column_gram(const Features& features, const GramOptions& options = {});

}  // namespace orthant::linalg
