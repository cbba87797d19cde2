#pragma once

#include <cstdint>
#include <vector>

namespace orthant {

// The numbers 0 .. items - 1 in the order in which an epoch takes them: a function of (seed, epoch), so that whoever
// goes through the same items with the same seed meets them side by side.
std::vector<int64_t> epoch_order(int64_t items, int64_t seed, int64_t epoch);

}  // namespace orthant
