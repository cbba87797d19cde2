#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"

namespace orthant::layout::test {

inline Matrix random_matrix(int64_t rows, int64_t cols, double zeros, uint64_t seed) {
  Rng rng(seed);
  Matrix matrix(rows, cols);
  for (float& x : matrix.mutable_values()) {
    const auto value = static_cast<float>(rng.uniform(0.05, 1));
    x = rng.bernoulli(zeros) ? 0 : value;
  }
  return matrix;
}

struct Clusters {
  Matrix features;
  std::vector<int64_t> labels;  // i modulo the number of clusters
};

// Non-negative rows around `count` random directions, most entries zero.
inline Clusters clusters(int64_t rows, int64_t cols, int64_t count, double noise, uint64_t seed) {
  Rng rng(seed);
  Matrix centres(count, cols);
  for (float& x : centres.mutable_values()) x = static_cast<float>(rng.normal());
  Clusters made{.features = Matrix(rows, cols), .labels = std::vector<int64_t>(static_cast<size_t>(rows))};
  for (int64_t i = 0; i < rows; ++i) {
    made.labels[static_cast<size_t>(i)] = i % count;
    for (int64_t j = 0; j < cols; ++j) {
      const double x = static_cast<double>(centres(i % count, j)) + noise * rng.normal();
      made.features(i, j) = x > 0 ? static_cast<float>(x) : 0;
    }
  }
  return made;
}

}  // namespace orthant::layout::test
