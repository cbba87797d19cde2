#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/image.h"

namespace orthant::codec {

bool looks_like_bmp(std::span<const std::byte> bytes);

// What io::decode_image() promises, for Windows and OS/2 bitmaps: 1, 4 or 8 bits with a palette (a grey one gives 1
// channel), 24 and 32 bits, of either order of rows. The fourth byte of 32 bits is ignored. IoError for run lengths, 16
// bits and pictures within a bitmap.
Image decode_bmp(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

}  // namespace orthant::codec
