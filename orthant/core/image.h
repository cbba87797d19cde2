#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orthant {

// An 8-bit picture, interleaved row-major [height, width, channels]; channels is 1 (grey) or 3 (RGB).
struct Image {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  std::vector<uint8_t> pixels;

  Image() = default;
  Image(int64_t h, int64_t w, int64_t c, uint8_t fill = 0)
      : height(h), width(w), channels(c), pixels(static_cast<size_t>(h * w * c), fill) {}

  // The channels of one pixel.
  std::span<const uint8_t> at(int64_t y, int64_t x) const {
    return std::span(pixels).subspan(static_cast<size_t>((y * width + x) * channels), static_cast<size_t>(channels));
  }
  std::span<uint8_t> at(int64_t y, int64_t x) {
    return std::span(pixels).subspan(static_cast<size_t>((y * width + x) * channels), static_cast<size_t>(channels));
  }

  bool operator==(const Image&) const = default;
};

}  // namespace orthant
