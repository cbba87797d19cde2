#include "orthant/theory/linear_head.h"

#include <algorithm>

#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/simulator.h"

namespace orthant::theory {

Matrix64 linear_head_scores(const Matrix64& features, const Matrix64& label_posterior,
                            const std::vector<double>& marginal) {
  const Matrix64 weighted = to_factors(features, marginal);
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(linalg::gram(weighted));
  Matrix64 inverse_vectors = eigen.vectors;  // pseudo-inverse of the Gram matrix: V diag(1 / value) V^T
  for (int64_t j = 0; j < inverse_vectors.cols(); ++j) {
    const double value = eigen.values[static_cast<size_t>(j)];
    const double inverse = value > 1e-12 * eigen.values.front() ? 1 / value : 0;
    for (int64_t i = 0; i < inverse_vectors.rows(); ++i) inverse_vectors(i, j) *= inverse;
  }
  const Matrix64 targets = linalg::matmul_transposed(weighted, to_factors(label_posterior, marginal));
  const Matrix64 head = linalg::matmul(inverse_vectors, linalg::matmul_transposed(eigen.vectors, targets));
  return linalg::matmul(features, head);
}

double decision_error(const Matrix64& scores, const Matrix64& label_posterior, const std::vector<double>& marginal) {
  double error = 0;
  for (int64_t x = 0; x < scores.rows(); ++x) {
    const auto row = scores.row(x);
    const auto named = std::ranges::max_element(row) - row.begin();
    error += marginal[static_cast<size_t>(x)] * (1 - label_posterior(x, named));
  }
  return error;
}

}  // namespace orthant::theory
