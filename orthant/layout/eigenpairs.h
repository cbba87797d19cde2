#pragma once

#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::layout {

struct Eigenpairs {
  std::vector<double> values;  // [2] falling
  Matrix64 vectors;            // [2, D] orthonormal, signs as they come
};

// The two largest eigenvalues of a symmetric matrix [D, D], 0 < D <= 4096, which is overwritten, with their vectors.
// For D = 1 the second is 0 with a vector of zeros. Work: about 4 D^3 on one thread, so that nothing depends on their
// number. std::invalid_argument if it has entries that are not finite.
Eigenpairs largest_eigenpairs(Matrix64& symmetric);

}  // namespace orthant::layout
