#include "orthant/linalg/orthonormal.h"

#include <cmath>

#include "orthant/core/error.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/products.h"

namespace orthant::linalg {

Matrix64 orthonormalize(const Matrix64& a, int threads) {
  check(a.rows() >= a.cols(), "[orthonormalize] expected at least ", a.cols(), " rows, got ", a.rows());
  Matrix64 basis = a;
  // Through the Gram matrix, so accuracy falls with the square of the condition number: the second pass restores it.
  for (int pass = 0; pass < 2; ++pass) {
    SymmetricEigen eigen = symmetric_eigen(gram(basis, threads));
    const double smallest = eigen.values.empty() ? 0 : 1e-14 * eigen.values.front();
    for (int64_t j = 0; j < a.cols(); ++j) {
      const double value = eigen.values[static_cast<size_t>(j)];
      const double scale = value > smallest ? 1 / std::sqrt(value) : 0;
      for (int64_t i = 0; i < a.cols(); ++i) eigen.vectors(i, j) *= scale;
    }
    basis = matmul(basis, eigen.vectors, threads);
  }
  return basis;
}

}  // namespace orthant::linalg
