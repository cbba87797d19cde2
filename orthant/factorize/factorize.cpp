#include "orthant/factorize/factorize.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/spectral.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

using Solve = Factorization (*)(const Target&, const SolverOptions&);

struct Solver {
  std::string name;
  bool symmetric;
  Solve solve;
};

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> list = {
      {"hals", false, nmf_hals},
      {"mu", false, nmf_mu},
      {"kl", false, nmf_kl},
      {"sym-hals", true, [](const Target& a, const SolverOptions& options) { return symnmf_hals(a, options); }},
      {"sym-cd", true, symnmf_cd},
      {"sym-pgd", true, symnmf_pgd},
      {"sym-mu", true, [](const Target& a, const SolverOptions& options) { return symnmf_mu(a, options); }},
      {"eigen", true, spectral},
  };
  return list;
}

const Solver& find_solver(const std::string& name) {
  const auto found = std::ranges::find(solvers(), name, &Solver::name);
  check(found != solvers().end(), "[factorize] expected a solver such as hals or sym-hals, got ", name);
  return *found;
}

}  // namespace

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Solver& solver : solvers()) all.push_back(solver.name);
    return all;
  }();
  return names;
}

bool is_symmetric_solver(const std::string& solver) { return find_solver(solver).symmetric; }

Factorization factorize(const Target& target, const std::string& solver, const SolverOptions& options) {
  return find_solver(solver).solve(target, options);
}

double relative_error(const Target& target, const Factorization& result, int threads) {
  const double norm = target.squared_norm();
  if (norm == 0) return 0;
  const Matrix64& h = result.h.rows() == 0 ? result.w : result.h;
  const double cross = linalg::dot(result.w, target.multiply(h, threads));
  const double own = linalg::dot(linalg::gram(result.w, threads), linalg::gram(h, threads));
  return std::sqrt(std::max(norm - 2 * cross + own, 0.0) / norm);
}

std::vector<Membership> memberships(const Matrix64& w) {
  std::vector<Membership> all(static_cast<size_t>(w.rows()));
  for (int64_t i = 0; i < w.rows(); ++i) {
    double sum = 0;
    double largest = 0;
    Membership& mine = all[static_cast<size_t>(i)];
    for (int64_t j = 0; j < w.cols(); ++j) {
      const double value = std::max(w(i, j), 0.0);
      sum += value;
      if (value > largest) {
        largest = value;
        mine.community = j;
      }
    }
    mine.strength = sum > 0 ? largest / sum : 0;
  }
  return all;
}

}  // namespace orthant::factorize
