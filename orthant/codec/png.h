#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/image.h"

namespace orthant::codec {

bool looks_like_png(std::span<const std::byte> bytes);

// What io::decode_image() promises, for PNG.
Image decode_png(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

// What io::encode_png() promises.
std::string encode_png(const Image& image);

}  // namespace orthant::codec
