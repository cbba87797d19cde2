#pragma once

#include <cstdint>
#include <span>

#include "orthant/catalogue/items.h"
#include "orthant/core/image.h"

namespace orthant::serve {

inline constexpr int64_t kMostInStrip = 64;
inline constexpr int64_t kLargestCell = 256;  // pixels a side
inline constexpr int64_t kVaryingCell = 128;

// The pictures of 1 to kMostInStrip items side by side, in cells of one size. If all pictures of the data set have the
// same size, of at most kLargestCell a side, that is the cell and every pixel is as it was; larger ones are scaled to
// fit. Pictures of various sizes are fitted into squares of kVaryingCell, centred on grey, smaller ones not enlarged.
// std::invalid_argument for too many or none, items that are not there, or items without pictures.
Image picture_strip(const catalogue::Items& items, std::span<const int64_t> wanted);

}  // namespace orthant::serve
