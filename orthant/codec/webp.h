#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/image.h"

namespace orthant::codec {

bool looks_like_webp(std::span<const std::byte> bytes);

// What io::decode_image() promises, for WebP, lossy and lossless; animations are refused. Always 3 channels.
Image decode_webp(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

}  // namespace orthant::codec
