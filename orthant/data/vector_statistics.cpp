#include "orthant/data/vector_statistics.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant {

VectorStatistics vector_statistics(const Dataset& dataset, int64_t max_items) {
  check(max_items >= 0, "[statistics] expected max_items of 0 or more, got ", max_items);
  const int64_t size = dataset.size();
  const int64_t count = max_items > 0 ? std::min(max_items, size) : size;
  const auto dims = static_cast<size_t>(dataset.info().dims);
  VectorStatistics statistics{std::vector<double>(dims), std::vector<double>(dims)};
  // Welford's update, which keeps its digits where the mean is far from zero.
  for (int64_t k = 0; k < count; ++k) {
    const auto row = dataset.vector(k * (size / count) + k * (size % count) / count);
    for (size_t j = 0; j < dims; ++j) {
      const double before = row[j] - statistics.mean[j];
      statistics.mean[j] += before / static_cast<double>(k + 1);
      statistics.deviation[j] += before * (row[j] - statistics.mean[j]);
    }
  }
  for (double& sum : statistics.deviation) sum = std::sqrt(sum / static_cast<double>(std::max<int64_t>(count, 1)));
  return statistics;
}

}  // namespace orthant
