#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"

namespace orthant {

// `per_class` items of every class, chosen at random, in their old order; items without a label are left out. The same
// seed chooses the same items. std::invalid_argument if there are no classes, or for the first class with fewer items.
DatasetPtr balanced_subset(DatasetPtr dataset, int64_t per_class, uint64_t seed);

}  // namespace orthant
