#pragma once

#include <cstdint>

#include "orthant/core/matrix.h"

// Dense linear algebra on row-major float64 matrices. The inner work is done by BLAS and LAPACK on one thread per fixed
// block, blocks are spread over `threads` (0: what the machine offers) and sums over blocks are taken in the blocks'
// order: results are the same to the last bit for every number of threads. Sizes that do not fit each other are
// std::invalid_argument; so is a dimension of 2^31 or more, which BLAS cannot count. The forms with `out` need it to
// have the right size and to be none of the operands; they allocate at most a few matrices of the size of the result.

namespace orthant::linalg {

// A B [N, K] for A [N, M], B [M, K].
Matrix64 matmul(const Matrix64& a, const Matrix64& b, int threads = 0);
void matmul(const Matrix64& a, const Matrix64& b, Matrix64& out, int threads = 0);

// A B^T [N, M] for A [N, K], B [M, K].
Matrix64 matmul_by_transposed(const Matrix64& a, const Matrix64& b, int threads = 0);

// A^T B [M, K] for A [N, M], B [N, K].
Matrix64 matmul_transposed(const Matrix64& a, const Matrix64& b, int threads = 0);
void matmul_transposed(const Matrix64& a, const Matrix64& b, Matrix64& out, int threads = 0);

// A^T A [K, K] for A [N, K]; exactly symmetric.
Matrix64 gram(const Matrix64& a, int threads = 0);
void gram(const Matrix64& a, Matrix64& out, int threads = 0);

Matrix64 transpose(const Matrix64& a);

// Sum over all entries of a_ij b_ij, summed per block of rows and then over blocks.
double dot(const Matrix64& a, const Matrix64& b);
double squared_norm(const Matrix64& a);

}  // namespace orthant::linalg
