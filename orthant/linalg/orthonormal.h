#pragma once

#include "orthant/core/matrix.h"

namespace orthant::linalg {

// An orthonormal basis [N, K] of the columns of A [N, K], N >= K, as Gram-Schmidt would span it but in no particular
// order. Where A has rank r < K (to about 1e-7 of its largest singular value), the last K - r columns are zero.
Matrix64 orthonormalize(const Matrix64& a, int threads = 0);

}  // namespace orthant::linalg
