#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::catalogue {

// The heat map of how alike features are: |cosine| of their columns, with similar ones side by side.
struct CorrelationMap {
  std::vector<int64_t> order;   // features
  std::vector<uint8_t> values;  // [n, n] in that order: |cosine| * 255, rounded
};

// Of the features `chosen` by their cosines [D, D]. They are joined by average linkage, the most similar groups first,
// each turned so that the ends that meet are the most alike. Of equal choices the first: the result is always the same.
// Work: n^2 log n to n^3 for n features.
CorrelationMap correlation_map(const Matrix& cosines, std::span<const int64_t> chosen);

}  // namespace orthant::catalogue
