#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace orthant::fit {

// Value of a smooth function at x; fills `gradient`, which is as long as x. What is not finite means "too far".
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  int64_t memory = 10;            // pairs of steps and gradient changes that stand for the curvature
  int64_t max_iterations = 1000;  // each takes one evaluation, rarely a few
  double tolerance = 1e-5;        // done when no entry of the gradient is larger in magnitude
  double noise = 0;               // relative error of the objective's values, so that rounding does not stop a search
};

struct Minimum {
  std::vector<double> x;
  double value = 0;
  double gradient = 0;  // largest magnitude among the gradient's entries at x
  int64_t iterations = 0;
  int64_t evaluations = 0;
  bool converged = false;  // the tolerance was met
};

// Minimises from `start` by limited-memory BFGS (Nocedal & Wright, algorithm 7.5) with a line search for the strong
// Wolfe conditions (algorithms 3.5 and 3.6, steps by safeguarded cubic interpolation). The value never rises by more
// than the noise. Ends early, not converged, where no step lowers the value. std::invalid_argument if the value or
// gradient at `start` is not finite. Runs on the calling thread; only the objective decides about others.
Minimum minimise(const Objective& objective, std::vector<double> start, const LbfgsOptions& options = {});

}  // namespace orthant::fit
