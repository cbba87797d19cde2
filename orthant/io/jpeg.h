#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/image.h"

namespace orthant::io {

bool looks_like_jpeg(std::span<const std::byte> bytes);

// What decode_image() promises, for JPEG.
Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

}  // namespace orthant::io
