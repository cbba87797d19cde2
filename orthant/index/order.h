#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::index {

// The rows in an order in which similar ones are neighbours: split by spherical k-means into at most 128 groups, each
// of them again, until groups have `leaf` rows or fewer. `scales` [N] brings each row to the length it is compared
// with. The result depends on the rows only, not on the number of threads. done(rows) is called from any thread.
std::vector<uint32_t> similar_order(const Features& features, std::span<const float> scales, int64_t leaf, int threads,
                                    const std::function<void(int64_t rows)>& done);

}  // namespace orthant::index
