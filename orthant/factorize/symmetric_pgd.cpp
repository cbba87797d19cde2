#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/factorize/rectangular_start.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/factorize/symmetric_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr auto kWhere = "symnmf_pgd";
constexpr double kSufficient = 1e-4;
constexpr int kMaxHalvings = 60;

// A point of the descent with everything that is needed there.
struct Point {
  Matrix64 f;
  Matrix64 product;  // A F
  Matrix64 f_gram;   // F^T F
  double loss = 0;
};

class Problem {
 public:
  Problem(const Target& target, int threads) : target_(target), threads_(threads), norm_(target.squared_norm()) {}

  double norm() const { return norm_; }

  void evaluate(Point& point) const {
    target_.multiply(point.f, point.product, threads_);
    linalg::gram(point.f, point.f_gram, threads_);
    point.loss = symmetric_loss(norm_, point.f, point.product, point.f_gram);
  }

  void gradient(const Point& point, Matrix64& out) const {
    linalg::matmul(point.f, point.f_gram, out, threads_);
    double* const g = out.mutable_data();
    for (int64_t i = 0; i < out.size(); ++i) g[i] = 4 * (g[i] - point.product.data()[i]);
  }

 private:
  const Target& target_;
  int threads_;
  double norm_;
};

// max(0, F - eta G) into `next`; returns <G, next - F>, which is never positive.
double project(const Matrix64& f, const Matrix64& gradient, double eta, Matrix64& next) {
  double* const out = next.mutable_data();
  double slope = 0;
  for (int64_t i = 0; i < f.size(); ++i) {
    out[i] = std::max(f.data()[i] - eta * gradient.data()[i], 0.0);
    slope += gradient.data()[i] * (out[i] - f.data()[i]);
  }
  return slope;
}

double barzilai_borwein(const Point& before, const Point& now, const Matrix64& old_gradient, const Matrix64& gradient,
                        double fallback) {
  double ss = 0;
  double sy = 0;
  for (int64_t i = 0; i < gradient.size(); ++i) {
    const double s = now.f.data()[i] - before.f.data()[i];
    ss += s * s;
    sy += s * (gradient.data()[i] - old_gradient.data()[i]);
  }
  return sy > 0 && ss > 0 ? ss / sy : 2 * fallback;
}

}  // namespace

Factorization symnmf_pgd(const Target& target, const SolverOptions& options) {
  check_symmetric_problem(target, options, kWhere);
  return symnmf_pgd(target, make_symmetric_start(target, options, false), options);
}

Factorization symnmf_pgd(const Target& target, Matrix64 start, const SolverOptions& options) {
  check_symmetric_problem(target, options, kWhere);
  const Problem problem(target, options.threads);
  const int64_t n = target.rows();
  const int64_t k = options.rank;
  Point now{check_symmetric_start(target, std::move(start), options, kWhere), Matrix64(n, k), Matrix64(k, k)};
  Point next{Matrix64(n, k), Matrix64(n, k), Matrix64(k, k)};
  Matrix64 gradient(n, k);
  Matrix64 old_gradient(n, k);
  problem.evaluate(now);
  problem.gradient(now, gradient);
  const double size = linalg::squared_norm(now.f);
  double eta = size > 0 ? 1 / (4 * size) : 1;

  Descent descent(now.loss, problem.norm(), options);
  bool running = descent.may_start();
  while (running) {
    int halvings = 0;
    for (;; ++halvings, eta /= 2) {
      const double slope = project(now.f, gradient, eta, next.f);
      problem.evaluate(next);
      if (next.loss <= now.loss + kSufficient * slope || halvings == kMaxHalvings) break;
    }
    if (!(next.loss <= now.loss)) {
      next.f = now.f;
      problem.evaluate(next);
    }
    std::swap(now, next);
    std::swap(gradient, old_gradient);
    problem.gradient(now, gradient);
    eta = barzilai_borwein(next, now, old_gradient, gradient, eta);
    running = descent.goes_on(now.loss);
  }
  return std::move(descent).finish(std::move(now.f));
}

}  // namespace orthant::factorize
