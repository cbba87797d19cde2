#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"
#include "orthant/text/text_options.h"

namespace orthant {

// How many different words stand in at least `fewest` of the texts that are looked at: the first of up to `max_items`
// items, spread evenly; 0: all. Words are those of words_of(). std::invalid_argument for a data set of pictures or
// vectors.
int64_t vocabulary(const Dataset& dataset, const TextOptions& options, int64_t fewest = 3, int64_t max_items = 20'000);

}  // namespace orthant
