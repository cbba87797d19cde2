#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

namespace orthant::factorize {

// The solvers by name: "hals", "mu", "kl" of rectangular_nmf.h, "sym-hals", "sym-cd", "sym-pgd", "sym-mu" of
// symmetric_nmf.h, "eigen" of spectral.h.
const std::vector<std::string>& solver_names();

// True if the solver of that name needs a symmetric target and returns one factor. std::invalid_argument for an unknown
// name.
bool is_symmetric_solver(const std::string& solver);

// Runs the solver of that name; its header says what it minimises, when it stops and what it refuses.
// std::invalid_argument for an unknown name.
Factorization factorize(const Target& target, const std::string& solver, const SolverOptions& options = {});

// ||A - W H^T||_F / ||A||_F (H = W for symmetric solvers), whatever the solver's own objective; 0 for an empty target.
// Never forms the residual, so values below about 1e-7 are rounding.
double relative_error(const Target& target, const Factorization& result, int threads = 0);

// Which feature a row belongs to: the largest entry of its row (the first of equals), and that entry's share of the
// row's sum, 1 if there is no other. A row of zeros belongs to none: community -1, strength 0.
struct Membership {
  int64_t community = -1;
  double strength = 0;

  bool operator==(const Membership&) const = default;
};

// One per row of w [N, K]. Negative entries (of "eigen") count as zero.
std::vector<Membership> memberships(const Matrix64& w);

}  // namespace orthant::factorize
