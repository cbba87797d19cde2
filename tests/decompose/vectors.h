#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"

namespace orthant::test {

// Normal numbers around `mean`, seeded.
inline Matrix random_vectors(int64_t rows, int64_t cols, uint64_t seed, float mean = 0) {
  Rng rng(seed);
  Matrix vectors(rows, cols);
  for (float& x : vectors.mutable_values()) x = mean + static_cast<float>(rng.normal());
  return vectors;
}

inline std::vector<std::string> numbered(int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back("w" + std::to_string(i));
  return names;
}

}  // namespace orthant::test
