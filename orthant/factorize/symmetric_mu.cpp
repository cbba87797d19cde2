#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/factorize/rectangular_start.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/factorize/symmetric_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr auto kWhere = "symnmf_mu";
constexpr int64_t kRowsPerPiece = 1024;

}  // namespace

Factorization symnmf_mu(const Target& target, const SolverOptions& options, double beta) {
  check_symmetric_problem(target, options, kWhere);
  return symnmf_mu(target, make_symmetric_start(target, options, true), options, beta);
}

Factorization symnmf_mu(const Target& target, Matrix64 start, const SolverOptions& options, double beta) {
  check_symmetric_problem(target, options, kWhere);
  check(beta > 0 && beta <= 1, "[", kWhere, "] expected beta above 0 and up to 1, got ", beta);
  Matrix64 f = check_symmetric_start(target, std::move(start), options, kWhere);
  const double norm = target.squared_norm();
  Matrix64 product = target.multiply(f, options.threads);
  Matrix64 f_gram = linalg::gram(f, options.threads);
  Matrix64 denominator(f.rows(), f.cols());

  Descent descent(symmetric_loss(norm, f, product, f_gram), norm, options);
  bool running = descent.may_start();
  while (running) {
    linalg::matmul(f, f_gram, denominator, options.threads);
    double* const data = f.mutable_data();
    parallel_for(f.rows(), kRowsPerPiece, options.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * f.cols(); i < end * f.cols(); ++i) {
        const double below = denominator.data()[i];
        if (below > 0) data[i] *= 1 - beta + beta * (product.data()[i] / below);
      }
    });
    target.multiply(f, product, options.threads);
    linalg::gram(f, f_gram, options.threads);
    running = descent.goes_on(symmetric_loss(norm, f, product, f_gram));
  }
  return std::move(descent).finish(std::move(f));
}

}  // namespace orthant::factorize
