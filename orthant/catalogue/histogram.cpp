#include "orthant/catalogue/histogram.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::catalogue {

Histogram histogram(std::span<const double> values, double low, double high, int64_t bins) {
  check(bins > 0 && low < high, "[histogram] expected ranges from low to high, got ", bins, " from ", low, " to ",
        high);
  Histogram result;
  for (int64_t k = 0; k <= bins; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(bins);
    result.edges.push_back(k == bins ? high : low + share * (high - low));
  }
  result.counts.resize(static_cast<size_t>(bins));
  for (const double value : values) {
    // Which side of an edge a value lies on is decided by the edges given, not by a rounded division.
    const auto above = std::upper_bound(result.edges.begin(), result.edges.end(), value);
    const auto bin = std::clamp<int64_t>(above - result.edges.begin() - 1, 0, bins - 1);
    ++result.counts[static_cast<size_t>(bin)];
  }
  return result;
}

}  // namespace orthant::catalogue
