#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/codec/image_size.h"
#include "orthant/core/image.h"

namespace orthant::io {

using codec::kMaxImagePixels;
using codec::kMaxImageSide;

// Decodes a JPEG, PNG, WebP, BMP, PGM or PPM picture, told apart by content; `name` is for messages. Grey pictures give
// 1 channel, all others 3. Transparency is composed on white, palettes are expanded, 16 bits become the upper 8, CMYK
// and YCCK become RGB (with Adobe's inversion where its marker says so), and JPEG's EXIF orientation is applied. Gamma
// and colour profiles are ignored. The pixels are those that Pillow gives.
//
// With `least_side` > 0 a JPEG picture may come at a half, a quarter or an eighth of its size, in a fraction of the
// time, as long as both sides keep that many pixels: for those who shrink it further anyway.
//
// Throws IoError for anything else, too large, damaged or cut off: a picture is decoded completely or not at all. One
// that is larger than `max_pixels` (no more than kMaxImagePixels) is refused by its header.
// Safe from several threads.
Image decode_image(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels = kMaxImagePixels,
                   int64_t least_side = 0);

// decode_image() of a file.
Image read_image(const std::string& path, int64_t least_side = 0);

// Throws what decode_image() throws, in less time where the format allows: a JPEG picture, whose damage shows in the
// order of its bits, is decoded to an eighth of its size.
void verify_image(std::span<const std::byte> bytes, const std::string& name);

// True if `bytes` begin as a picture does that decode_image() decodes.
bool looks_like_image(std::span<const std::byte> bytes);

// PNG of a picture of 1 or 3 channels; std::invalid_argument for an empty one or one whose pixels do not fit its size.
std::string encode_png(const Image& image);

// Writes a PNG file, atomically.
void write_png(const std::string& path, const Image& image);

// Baseline JPEG with 4:2:0 colour, the same as Pillow's for the same `quality` (1..100).
std::vector<std::byte> encode_jpeg(const Image& image, int quality);

}  // namespace orthant::io
