#pragma once

#include <cstdint>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// Of every element of the vectors of a data set.
struct VectorStatistics {
  std::vector<double> mean;
  std::vector<double> deviation;  // with N in the denominator; 0 for an element that is the same everywhere
};

// Looks at up to `max_items` vectors, spread evenly; 0: all. std::invalid_argument for a data set of pictures.
VectorStatistics vector_statistics(const Dataset& dataset, int64_t max_items = 10'000);

}  // namespace orthant
