#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/measure/sepin_rows.h"

namespace orthant::measure {

struct SepinSumsOptions {
  double temperature = 0.2;
  int threads = 0;  // 0: what the machine offers; the sums do not depend on it
  std::function<void(int64_t done, int64_t total)> progress = {};  // tiles; from the calling thread
};

// The sums over negatives of every row, with all features and without each of them.
struct SepinSums {
  std::vector<double>
      all;          // [2 P]: sum of e^s, s = cos / temperature, over rows that are neither itself nor its partner
  Matrix64 change;  // [D, 2 P]: what feature i's absence adds to it
};

// Similarities are computed tile by tile and each tile is corrected for all features while it is in the cache. A
// correction touches only pairs that the feature's absence changes: those where a row is active, or both if rows are
// not renormalised. Memory: the result and a few megabytes.
SepinSums negative_sums(const SepinRows& rows, bool renormalise, const SepinSumsOptions& options);

}  // namespace orthant::measure
