#include <algorithm>
#include <utility>

#include "orthant/core/threads.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/rectangular_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr int64_t kRowsPerPiece = 1024;

// factor <- factor * product / (factor other_gram), where 0 / 0 is 0.
void update(Matrix64& factor, const Matrix64& product, const Matrix64& other_gram, Matrix64& denominator, int threads) {
  linalg::matmul(factor, other_gram, denominator, threads);
  double* const data = factor.mutable_data();
  parallel_for(factor.rows(), kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * factor.cols(); i < end * factor.cols(); ++i) {
      const double below = denominator.data()[i];
      data[i] = below > 0 ? data[i] * product.data()[i] / below : 0;
    }
  });
}

}  // namespace

Factorization nmf_mu(const Target& target, const SolverOptions& options) {
  check_problem(target, options, "nmf_mu");
  return nmf_mu(target, make_start(target, options, true), options);
}

Factorization nmf_mu(const Target& target, Factors start, const SolverOptions& options) {
  check_problem(target, options, "nmf_mu");
  check_start(target, start, options, "nmf_mu");
  Matrix64& w = start.w;
  Matrix64& h = start.h;
  const int threads = options.threads;
  const double norm = target.squared_norm();
  Matrix64 w_product = target.multiply(h, threads);
  Matrix64 h_product(target.cols(), options.rank);
  Matrix64 w_denominator(target.rows(), options.rank);
  Matrix64 h_denominator(target.cols(), options.rank);
  Matrix64 w_gram = linalg::gram(w, threads);
  Matrix64 h_gram = linalg::gram(h, threads);

  Descent descent(std::max(norm - 2 * linalg::dot(w, w_product) + linalg::dot(w_gram, h_gram), 0.0), norm, options);
  bool running = descent.may_start();
  while (running) {
    update(w, w_product, h_gram, w_denominator, threads);
    linalg::gram(w, w_gram, threads);
    target.multiply_transposed(w, h_product, threads);
    update(h, h_product, w_gram, h_denominator, threads);
    linalg::gram(h, h_gram, threads);
    running = descent.goes_on(std::max(norm - 2 * linalg::dot(h, h_product) + linalg::dot(w_gram, h_gram), 0.0));
    if (running) target.multiply(h, w_product, threads);
  }
  return std::move(descent).finish(std::move(start));
}

}  // namespace orthant::factorize
