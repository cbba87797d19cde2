#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"
#include "tests/measure/random_features.h"

namespace orthant::test {

// Items and rows that resemble their owner, non-negative with many zeros.
struct RandomPairs {
  Matrix a;
  Matrix b;
  std::vector<int64_t> owner;
};

inline RandomPairs random_pairs(int64_t items, int64_t rows, int64_t cols, uint64_t seed) {
  RandomPairs pairs{
      random_features(items, cols, 0.7, true, seed), random_features(rows, cols, 0.8, true, seed + 1), {}};
  Rng rng(seed + 2);
  for (int64_t j = 0; j < rows; ++j) {
    pairs.owner.push_back(j < items ? j : static_cast<int64_t>(rng.below(static_cast<uint64_t>(items))));
    for (int64_t k = 0; k < cols; ++k) pairs.b(j, k) += pairs.a(pairs.owner.back(), k);
  }
  return pairs;
}

}  // namespace orthant::test
