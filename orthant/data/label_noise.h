#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"

namespace orthant {

// The same items, of which round(fraction * n) of the n labelled ones have a wrong label: chosen at random, and each
// given one of the other classes with equal probability (symmetric noise). Factors keep the truth. The same seed spoils
// the same items. std::invalid_argument unless 0 <= fraction <= 1, or with fewer than two classes.
DatasetPtr label_noise(DatasetPtr dataset, double fraction, uint64_t seed);

}  // namespace orthant
