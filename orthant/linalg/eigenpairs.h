#pragma once

#include <vector>

#include "orthant/core/matrix.h"

// Eigenvalues and eigenvectors of symmetric matrices [N, N], by LAPACK on one thread, so that nothing depends on their
// number. std::invalid_argument if a matrix is not square, has more than 32,766 rows or entries that are not finite.

namespace orthant::linalg {

// A = V diag(values) V^T, of which only the lower triangle is read. Values fall; column j of `vectors` [N, N] belongs
// to values[j]. Each vector's entry of largest magnitude is positive, so that equal input gives equal signs. Work:
// about 9 N^3.
struct SymmetricEigen {
  std::vector<double> values;
  Matrix64 vectors;
};
SymmetricEigen symmetric_eigen(const Matrix64& a);

// The values alone, rising; `a` is overwritten. Work: about 4/3 N^3.
std::vector<double> symmetric_eigenvalues(Matrix64& a);

// The two largest with their vectors; `a` (N > 0) is overwritten. For N = 1 the second is 0 with a vector of zeros.
// Work: about 4 N^3.
struct Eigenpairs {
  std::vector<double> values;  // [2] falling
  Matrix64 vectors;            // [2, N] orthonormal, signs as they come
};
Eigenpairs largest_eigenpairs(Matrix64& a);

}  // namespace orthant::linalg
