#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orthant::catalogue {

// Counts over ranges: counts[k] values lie in [edges[k], edges[k + 1]), the last range includes its end. Either both
// are empty or there is one edge more than there are counts.
struct Histogram {
  std::vector<double> edges;
  std::vector<int64_t> counts;
};

// `bins` ranges of equal width from `low` to `high`; values outside are counted in the first or last one.
// std::invalid_argument unless bins > 0 and low < high.
Histogram histogram(std::span<const double> values, double low, double high, int64_t bins);

}  // namespace orthant::catalogue
