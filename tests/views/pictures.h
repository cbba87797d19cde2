#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/core/rng.h"
#include "orthant/views/planes.h"

namespace orthant::test {

// Levels drawn so that extremes and equal channels, where colour operations have their corners, are common.
inline Image random_image(int64_t height, int64_t width, int64_t channels, Rng& rng) {
  Image image(height, width, channels);
  for (auto& level : image.pixels) {
    const uint64_t draw = rng.below(512);
    level = static_cast<uint8_t>(draw < 256 ? draw : draw < 320 ? 0 : draw < 384 ? 255 : draw & 0xc0);
  }
  return image;
}

// A picture as planes of levels, [channels, height, width].
struct PlanarImage {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  std::vector<float> values;

  PlanarImage() = default;
  PlanarImage(int64_t h, int64_t w, int64_t c)
      : height(h), width(w), channels(c), values(static_cast<size_t>(h * w * c)) {}
  explicit PlanarImage(const Image& image) : PlanarImage(image.height, image.width, image.channels) {
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        for (int64_t c = 0; c < channels; ++c) at(c, y, x) = image.at(y, x)[static_cast<size_t>(c)];
      }
    }
  }

  float& at(int64_t c, int64_t y, int64_t x) { return values[static_cast<size_t>((c * height + y) * width + x)]; }
  float at(int64_t c, int64_t y, int64_t x) const { return values[static_cast<size_t>((c * height + y) * width + x)]; }
  views::Planes planes() { return views::planes_at(values.data(), channels, height * width); }
};

}  // namespace orthant::test
