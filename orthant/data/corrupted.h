#pragma once

#include <cstdint>

#include "orthant/corrupt/corrupt.h"
#include "orthant/data/dataset.h"

namespace orthant {

// The same items with corrupted pictures; labels, factors and ids stay. The name gains "+NAME:SEVERITY". Item i is
// corrupted by the random numbers of corrupt::stream(corruption, seed, i), anew whenever it is asked for.
// std::invalid_argument for a data set of vectors, or a corruption that does not exist.
DatasetPtr corrupted(DatasetPtr dataset, const corrupt::Corruption& corruption, uint64_t seed);

}  // namespace orthant
