#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/image.h"

namespace orthant::codec {

bool looks_like_jpeg(std::span<const std::byte> bytes);

// What io::decode_image() promises, for JPEG, which is decoded to a half, a quarter or an eighth where `least_side`
// allows, in a fraction of the time.
Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels, int64_t least_side);

// Throws what decode_jpeg() throws, in less time: the picture is decoded to an eighth of its size.
void verify_jpeg(std::span<const std::byte> bytes, const std::string& name);

// What io::encode_jpeg() promises.
std::vector<std::byte> encode_jpeg(const Image& image, int quality);

}  // namespace orthant::codec
