#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace orthant::theory {

// What one start of a method that is not convex came to.
template <class Result>
struct Attempt {
  Result result;
  double excess = 0;  // loss above the optimum, in any unit
};

template <class Result>
struct BestOf {
  Result result = {};
  int64_t starts = 0;  // how many were made
};

// A start that ends in a local optimum is known by its loss, as the optimum is known, and is given up for another, up
// to five times; the lowest loss counts.
template <class Result>
BestOf<Result> best_of(const std::function<Attempt<Result>(uint64_t seed)>& attempt, double good_enough,
                       uint64_t seed) {
  constexpr int64_t kMaxStarts = 5;
  constexpr uint64_t kStartStride = 1'000'003;  // keeps the starts of neighbouring seeds apart
  BestOf<Result> best;
  double least = std::numeric_limits<double>::infinity();
  while (best.starts < kMaxStarts && least > good_enough) {
    Attempt<Result> next = attempt(seed + kStartStride * static_cast<uint64_t>(best.starts));
    ++best.starts;
    if (best.starts > 1 && next.excess >= least) continue;
    best.result = std::move(next.result);
    least = next.excess;
  }
  return best;
}

}  // namespace orthant::theory
