#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"

namespace orthant {

// The side at which to train on pictures of this size. Where all are squares of 8 to 128 pixels, that is their own;
// otherwise it goes by the median of their shorter sides:
//   up to 40: 32     up to 80: 64     up to 112: 96     larger: 128
// A network on two cores has no use for more: the work grows with the square of the side. At most 64 pictures, spread
// evenly, are looked at, none where all have one size; those that fail to decode are passed over. 32 if none is left.
// std::invalid_argument for a data set of vectors.
int64_t suggested_image_size(const Dataset& dataset);

}  // namespace orthant
