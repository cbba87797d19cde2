#include "orthant/codec/transparency.h"

namespace orthant::codec {

Image on_white(std::span<const uint8_t> rgba, int64_t height, int64_t width, int64_t colours) {
  Image image(height, width, colours);
  const auto kept = static_cast<size_t>(colours);
  for (size_t i = 0; i < rgba.size() / 4; ++i) {
    const int alpha = rgba[4 * i + 3];
    for (size_t c = 0; c < kept; ++c) {
      image.pixels[i * kept + c] = static_cast<uint8_t>((rgba[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
  }
  return image;
}

}  // namespace orthant::codec
