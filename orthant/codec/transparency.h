#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/image.h"

namespace orthant::codec {

// The first `colours` (1 or 3) of the four bytes of each pixel, composed on white by the fourth.
Image on_white(std::span<const uint8_t> rgba, int64_t height, int64_t width, int64_t colours);

}  // namespace orthant::codec
