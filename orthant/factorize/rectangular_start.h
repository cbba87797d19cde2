#pragma once

#include <string>

#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

// What the rectangular solvers share: how they begin, when they stop, and the form of what they return. The symmetric
// ones stop by the same rule.

namespace orthant::factorize {

// Refuses what rectangular_nmf.h says is refused, naming `where`.
void check_problem(const Target& target, const SolverOptions& options, const std::string& where);

// The same for a starting point of the caller's.
void check_start(const Target& target, const Factors& start, const SolverOptions& options, const std::string& where);

// The starting point that options.init names; all entries are positive if `positive`.
Factors make_start(const Target& target, const SolverOptions& options, bool positive);

// Keeps the losses of a running solver and decides when it stops.
class Descent {
 public:
  // `scale` is what a change of the loss is relative to; 0 (an empty target) counts as converged after one iteration.
  // `options` must outlive this.
  Descent(double start_loss, double scale, const SolverOptions& options);

  bool may_start() const { return options_.max_iterations > 0; }
  // To be told the loss after each iteration; false: stop.
  bool goes_on(double loss);

  // The factors, balanced as rectangular_nmf.h states, with the record of the descent.
  Factorization finish(Factors factors) &&;
  // The same for a symmetric solver, whose factor has no scale to balance.
  Factorization finish(Matrix64 factor) &&;

 private:
  const SolverOptions& options_;
  double scale_;
  Factorization result_;
};

}  // namespace orthant::factorize
