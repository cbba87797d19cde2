#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/adapt/vectors.h"

namespace orthant::adapt {

// What vectors are like, taken over all of their rows in one pass.
struct VectorStatistics {
  std::vector<double> mean;  // [D] of the rows as they are taken: scaled to unit length, or not
  double variance = 0;       // mean over rows and elements of the squared distance from it
  int64_t zero_rows = 0;
  double shortest = 0;  // lengths of the rows that are not zero
  double longest = 0;
};

// The sums are taken in double, block by block in their order, whatever the number of threads. IoError naming the
// first row with a NaN or an infinite number, and how many there are. `progress` is told of rows done; it may throw.
VectorStatistics statistics_of(const Vectors& vectors, bool unit_rows, int threads,
                               const std::function<void(int64_t done, int64_t total)>& progress = {});

}  // namespace orthant::adapt
