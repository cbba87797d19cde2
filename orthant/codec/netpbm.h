#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/image.h"

namespace orthant::codec {

bool looks_like_netpbm(std::span<const std::byte> bytes);

// What io::decode_image() promises, for PGM (1 channel) and PPM (3), binary (P5, P6) or plain text (P2, P3), of up to
// 65535 levels, which are scaled to 255. What follows the picture is ignored.
Image decode_netpbm(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

}  // namespace orthant::codec
