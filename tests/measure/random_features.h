#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"

namespace orthant::test {

// Normal entries, of which a share is exactly zero; column 1 is dead and row 2 is zero where there are such.
inline Matrix random_features(int64_t rows, int64_t cols, double zeros, bool non_negative, uint64_t seed) {
  Rng rng(seed);
  Matrix features(rows, cols);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const auto x = static_cast<float>(rng.normal());
      const bool zero = rng.bernoulli(zeros) || j == 1 || i == 2;
      features(i, j) = zero ? 0 : non_negative && x < 0 ? -x : x;
    }
  }
  return features;
}

// Labels 0 to classes - 1, one in ten unknown (-1).
inline std::vector<int64_t> random_labels(int64_t rows, int64_t classes, uint64_t seed) {
  Rng rng(seed);
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < rows; ++i) {
    labels.push_back(rng.bernoulli(0.1) ? -1 : static_cast<int64_t>(rng.below(static_cast<uint64_t>(classes))));
  }
  return labels;
}

}  // namespace orthant::test
