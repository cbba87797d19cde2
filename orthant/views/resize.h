#pragma once

#include <cstdint>

#include "orthant/core/image.h"

namespace orthant::views {

// The whole picture at another size: bicubic, without aliasing where it shrinks, as Pillow's Image.resize(BICUBIC).
// Throws std::invalid_argument unless the picture has pixels and 1 or 3 channels, and both sides are 1 to 65536.
Image resize(const Image& image, int64_t height, int64_t width);

}  // namespace orthant::views
