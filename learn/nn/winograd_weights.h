#pragma once

#include <cstdint>
#include <span>

#include "learn/nn/winograd.h"

namespace orthant {

// The last step of winograd_backward(): `parts` sets of products' gradients [36, out / 16, in, 16] are summed in their
// order and taken back to the weights' gradient [out, in, 3, 3].
void winograd_weight_gradient(std::span<const float> sums, int64_t parts, const WinogradShape& shape, int threads,
                              std::span<float> dweights);

}  // namespace orthant
