#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/data/dataset.h"

namespace orthant {

// `count` of the numbers 0 .. total - 1, rising, every choice equally likely. std::invalid_argument unless
// 0 <= count <= total.
std::vector<int64_t> choose(int64_t total, int64_t count, Rng& rng);

// The items at `indices`, in that order. std::invalid_argument if one is out of range or occurs twice.
DatasetPtr subset(DatasetPtr dataset, std::vector<int64_t> indices);

// `count` items chosen at random, whatever their class, in their old order. The same seed chooses the same items.
// std::invalid_argument if there are fewer.
DatasetPtr subset(DatasetPtr dataset, int64_t count, uint64_t seed);

}  // namespace orthant
