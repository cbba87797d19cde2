#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/factorize/rectangular_start.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/factorize/symmetric_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr auto kWhere = "symnmf_hals";
constexpr int64_t kRowsPerPiece = 256;

// Half of ||A||_2 by a few power iterations: from a positive vector they converge fast enough for a choice of scale.
double default_penalty(const Target& target, int threads) {
  constexpr int kPowerIterations = 20;
  Matrix64 vector(target.rows(), 1);
  std::ranges::fill(vector.mutable_values(), 1 / std::sqrt(static_cast<double>(target.rows())));
  double norm = 0;
  for (int i = 0; i < kPowerIterations; ++i) {
    vector = target.multiply(vector, threads);
    norm = std::sqrt(linalg::squared_norm(vector));
    if (norm == 0) break;
    for (double& value : vector.mutable_values()) value /= norm;
  }
  return norm / 2;
}

// One sweep over the entries of `u`, rows apart: the minimum in U_ij of
// ||A - U V^T||^2 / 2 + penalty ||U - V||^2 / 2 is ((A V)_ij - sum_{l != j} U_il (V^T V)_lj + penalty V_ij) over
// (V^T V)_jj + penalty.
void update(Matrix64& u, const Matrix64& v, const Matrix64& product, const Matrix64& v_gram, double penalty,
            int threads) {
  const int64_t k = u.cols();
  double* const data = u.mutable_data();
  parallel_for(u.rows(), kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double* const row = data + i * k;
      for (int64_t j = 0; j < k; ++j) {
        const double* const g = v_gram.data() + j * k;
        const double below = g[j] + penalty;
        if (below <= 0) continue;
        double inner = -g[j] * row[j];
        for (int64_t l = 0; l < k; ++l) inner += row[l] * g[l];
        row[j] = std::max((product(i, j) - inner + penalty * v(i, j)) / below, 0.0);
      }
    }
  });
}

double squared_distance(const Matrix64& u, const Matrix64& v) {
  double sum = 0;
  for (int64_t i = 0; i < u.size(); ++i) sum += (u.data()[i] - v.data()[i]) * (u.data()[i] - v.data()[i]);
  return sum;
}

}  // namespace

Factorization symnmf_hals(const Target& target, const SolverOptions& options, double penalty) {
  check_symmetric_problem(target, options, kWhere);
  return symnmf_hals(target, make_symmetric_start(target, options, false), options, penalty);
}

Factorization symnmf_hals(const Target& target, Matrix64 start, const SolverOptions& options, double penalty) {
  check_symmetric_problem(target, options, kWhere);
  check(std::isfinite(penalty) && penalty >= 0, "[", kWhere, "] expected a finite penalty of 0 or more, got ", penalty);
  if (penalty == 0) penalty = default_penalty(target, options.threads);
  const int threads = options.threads;
  Matrix64 u = check_symmetric_start(target, std::move(start), options, kWhere);
  Matrix64 v = u;
  const double norm = target.squared_norm();
  Matrix64 product = target.multiply(v, threads);
  Matrix64 u_gram = linalg::gram(u, threads);
  Matrix64 v_gram = u_gram;

  // After V's update `product` is A U, so <V, A U> = <U, A V> closes the objective without another product.
  const auto objective = [&](const Matrix64& other) {
    const double fit = norm - 2 * linalg::dot(other, product) + linalg::dot(u_gram, v_gram);
    return std::max(fit, 0.0) / 2 + penalty * squared_distance(u, v) / 2;
  };
  Descent descent(objective(u), norm, options);
  bool running = descent.may_start();
  while (running) {
    update(u, v, product, v_gram, penalty, threads);
    linalg::gram(u, u_gram, threads);
    target.multiply(u, product, threads);
    update(v, u, product, u_gram, penalty, threads);
    linalg::gram(v, v_gram, threads);
    running = descent.goes_on(objective(v));
    if (running) target.multiply(v, product, threads);
  }
  for (int64_t i = 0; i < u.size(); ++i) u.mutable_data()[i] = (u.data()[i] + v.data()[i]) / 2;
  return std::move(descent).finish(std::move(u));
}

}  // namespace orthant::factorize
