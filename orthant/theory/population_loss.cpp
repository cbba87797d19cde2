#include "orthant/theory/population_loss.h"

#include <vector>

#include "orthant/core/error.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

void check_sizes(const char* where, const Matrix64& a, const Matrix64& w, const Matrix64& h) {
  check(a.rows() == w.rows() && a.cols() == h.rows() && w.cols() == h.cols(), where, "expected factors [", a.rows(),
        ", k] and [", a.cols(), ", k], got [", w.rows(), ", ", w.cols(), "] and [", h.rows(), ", ", h.cols(), "]");
}

}  // namespace

double spectral_loss(const Matrix64& joint, const Matrix64& features) {
  return spectral_loss(joint, features, features);
}

double spectral_loss(const Matrix64& joint, const Matrix64& vision, const Matrix64& language) {
  check_sizes("[spectral_loss] ", joint, vision, language);
  std::vector<double> rows(static_cast<size_t>(joint.rows()), 0.0);
  std::vector<double> cols(static_cast<size_t>(joint.cols()), 0.0);
  for (int64_t v = 0; v < joint.rows(); ++v) {
    for (int64_t l = 0; l < joint.cols(); ++l) {
      rows[static_cast<size_t>(v)] += joint(v, l);
      cols[static_cast<size_t>(l)] += joint(v, l);
    }
  }
  const Matrix64 similarity = linalg::matmul_by_transposed(vision, language);
  double positive = 0;
  double negative = 0;
  for (int64_t v = 0; v < joint.rows(); ++v) {
    for (int64_t l = 0; l < joint.cols(); ++l) {
      const double s = similarity(v, l);
      positive += joint(v, l) * s;
      negative += rows[static_cast<size_t>(v)] * cols[static_cast<size_t>(l)] * s * s;
    }
  }
  return -2 * positive + negative;
}

double factorization_loss(const Matrix64& a, const Matrix64& f) { return factorization_loss(a, f, f); }

double factorization_loss(const Matrix64& a, const Matrix64& w, const Matrix64& h) {
  check_sizes("[factorization_loss] ", a, w, h);
  const Matrix64 product = linalg::matmul_by_transposed(w, h);
  double sum = 0;
  for (int64_t i = 0; i < a.rows(); ++i) {
    for (int64_t j = 0; j < a.cols(); ++j) sum += (a(i, j) - product(i, j)) * (a(i, j) - product(i, j));
  }
  return sum;
}

}  // namespace orthant::theory
