#pragma once

#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"
#include "orthant/io/npy.h"

namespace orthant::adapt::test {

// Rows that are sums of three of `parts` planted directions, and a little noise.
struct Planted {
  Matrix parts;
  Matrix rows;
  std::vector<int64_t> labels;  // the strongest part
};

inline Planted plant(int64_t count, int64_t dims, int64_t parts, uint64_t seed) {
  Rng rng(seed);
  Planted planted{Matrix(parts, dims), Matrix(count, dims), {}};
  for (float& value : planted.parts.mutable_values()) value = static_cast<float>(rng.normal());
  for (int64_t i = 0; i < count; ++i) {
    const auto row = planted.rows.mutable_row(i);
    for (int n = 0; n < 3; ++n) {
      const auto part = static_cast<int64_t>(rng.below(static_cast<uint64_t>(parts)));
      if (n == 0) planted.labels.push_back(part);
      const auto amount = static_cast<float>(n == 0 ? 1.5 : rng.uniform(0.5, 1.0));
      for (int64_t j = 0; j < dims; ++j) row[static_cast<size_t>(j)] += amount * planted.parts(part, j);
    }
    for (float& value : row) value += static_cast<float>(0.05 * rng.normal());
  }
  return planted;
}

inline void write_rows(const std::string& path, const Matrix& rows) {
  io::write_npy(path, io::array_of(rows.values(), {rows.rows(), rows.cols()}));
}

}  // namespace orthant::adapt::test
