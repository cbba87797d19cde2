#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::factorize {

// One step of a running solver, for progress and for drawing its descent.
struct SolverStep {
  int64_t iteration = 0;  // from 1
  double loss = 0;        // the solver's own objective, as its header states it
  double relative_change = 0;
};

// Called after every iteration on the calling thread; returning false stops the solver, which then returns what it has.
using SolverProgress = std::function<bool(const SolverStep&)>;

enum class Init { random, nndsvd };

// Settings that every solver understands. A solver stops after max_iterations, or when the relative change that its
// header defines falls below `tolerance`.
struct SolverOptions {
  int64_t rank = 16;
  int64_t max_iterations = 500;
  double tolerance = 1e-6;
  Init init = Init::random;
  uint64_t seed = 0;
  int threads = 0;  // 0: what the machine offers
  SolverProgress progress = {};
};

// What every solver returns: target ~ w h^T, where a symmetric solver has h == w (and leaves h empty).
struct Factorization {
  Matrix64 w;                  // [N, rank]
  Matrix64 h;                  // [M, rank], empty for symmetric solvers
  std::vector<double> losses;  // after each iteration; losses.front() is the starting point
  int64_t iterations = 0;
  bool converged = false;  // the tolerance was reached, rather than max_iterations
};

}  // namespace orthant::factorize
