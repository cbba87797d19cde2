#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"

namespace orthant {

// Captions of `sprites` (orthant/sources/sprites.h), item by item: three to five different phrasings of plain English
// that name its shape, colour, size, texture and place; each leaves some of them out. Nothing they say is false.
// Labels, factors and splits are those of the sprites, which are not painted for it. The texts of item i depend on
// nothing but (seed, split, i). std::invalid_argument for a data set without these factors.
DatasetPtr make_captions(DatasetPtr sprites, uint64_t seed);

}  // namespace orthant
