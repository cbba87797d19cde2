#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "orthant/factorize/rectangular_start.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/factorize/symmetric_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr auto kWhere = "symnmf_cd";

// The largest real root of x^3 + a x + b; the only one that can be a minimum of the quartic at x > 0.
double largest_root(double a, double b) {
  const double discriminant = b * b / 4 + a * a * a / 27;
  double root = 0;
  if (discriminant >= 0) {
    const double s = std::sqrt(discriminant);
    // The cube root of larger magnitude first: its partner follows without cancellation.
    const double u = std::cbrt(b > 0 ? -b / 2 - s : -b / 2 + s);
    root = u == 0 ? 0 : u - a / (3 * u);
  } else {
    const double r = std::sqrt(-a / 3);
    const double angle = std::acos(std::clamp(-b / (2 * r * r * r), -1.0, 1.0));
    root = 2 * r * std::cos(angle / 3);
  }
  for (int step = 0; step < 2; ++step) {
    const double slope = 3 * root * root + a;
    if (slope <= 0) break;
    root -= (root * root * root + a * root + b) / slope;
  }
  return root;
}

double quartic(double x, double a, double b) { return ((x * x / 4 + a / 2) * x + b) * x; }

// Where x^4 / 4 + a x^2 / 2 + b x is least over x >= 0; `current` unless something is strictly better.
double minimize(double a, double b, double current) {
  double best = current;
  double least = quartic(current, a, b);
  for (const double candidate : {0.0, largest_root(a, b)}) {
    const double value = candidate >= 0 ? quartic(candidate, a, b) : least;
    if (value < least) {
      best = candidate;
      least = value;
    }
  }
  return best;
}

// column += delta * (row i of A), by symmetry the change of A f when f_i changes by delta.
void add_row(const Target& target, int64_t i, double delta, std::vector<double>& column) {
  if (target.sparse()) {
    const auto row = target.csr().row(i);
    for (size_t t = 0; t < row.indices.size(); ++t)
      column[static_cast<size_t>(row.indices[t])] += delta * row.values[t];
  } else {
    const auto row = target.dense().row(i);
    for (size_t t = 0; t < row.size(); ++t) column[t] += delta * row[t];
  }
}

// One pass over all entries, column by column. `product` is A F at the start; within a column only that column of it
// changes, so it is kept as a vector. a and b are those of Vandaele et al., for the objective ||A - F F^T||^2 / 4.
void sweep(const Target& target, const std::vector<double>& diagonal, const Matrix64& product, Matrix64& f,
           Matrix64& f_gram) {
  const int64_t n = f.rows();
  const int64_t k = f.cols();
  std::vector<double> row_norms(static_cast<size_t>(n), 0.0);
  for (int64_t i = 0; i < n; ++i) {
    for (const double value : f.row(i)) row_norms[static_cast<size_t>(i)] += value * value;
  }
  std::vector<double> column(static_cast<size_t>(n));
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < n; ++i) column[static_cast<size_t>(i)] = product(i, j);
    for (int64_t i = 0; i < n; ++i) {
      const double x = f(i, j);
      double& row_norm = row_norms[static_cast<size_t>(i)];
      const double a = f_gram(j, j) + row_norm - 2 * x * x - diagonal[static_cast<size_t>(i)];
      double inner = 0;
      for (int64_t l = 0; l < k; ++l) inner += f(i, l) * f_gram(j, l);
      const double b = inner - x * x * x - a * x - column[static_cast<size_t>(i)];
      const double moved = minimize(a, b, x);
      if (moved == x) continue;
      const double delta = moved - x;
      for (int64_t l = 0; l < k; ++l) {
        if (l == j) continue;
        f_gram(j, l) += delta * f(i, l);
        f_gram(l, j) = f_gram(j, l);
      }
      f_gram(j, j) = std::max(f_gram(j, j) + moved * moved - x * x, 0.0);
      row_norm = std::max(row_norm + moved * moved - x * x, 0.0);
      f(i, j) = moved;
      add_row(target, i, delta, column);
    }
  }
}

}  // namespace

Factorization symnmf_cd(const Target& target, const SolverOptions& options) {
  check_symmetric_problem(target, options, kWhere);
  return symnmf_cd(target, make_symmetric_start(target, options, false), options);
}

Factorization symnmf_cd(const Target& target, Matrix64 start, const SolverOptions& options) {
  check_symmetric_problem(target, options, kWhere);
  Matrix64 f = check_symmetric_start(target, std::move(start), options, kWhere);
  const double norm = target.squared_norm();
  const std::vector<double> diagonal = target.diagonal();
  Matrix64 product = target.multiply(f, options.threads);
  Matrix64 f_gram = linalg::gram(f, options.threads);

  Descent descent(symmetric_loss(norm, f, product, f_gram), norm, options);
  bool running = descent.may_start();
  while (running) {
    sweep(target, diagonal, product, f, f_gram);
    target.multiply(f, product, options.threads);
    linalg::gram(f, f_gram, options.threads);
    running = descent.goes_on(symmetric_loss(norm, f, product, f_gram));
  }
  return std::move(descent).finish(std::move(f));
}

}  // namespace orthant::factorize
