#include "orthant/corrupt/canvas.h"

#include <cmath>

namespace orthant::corrupt {

Canvas::Canvas(const Image& image) : Canvas(image.height, image.width, image.channels) {
  const auto step = static_cast<size_t>(channels);
  for (size_t c = 0; c < step; ++c) {
    const auto to = plane(static_cast<int64_t>(c));
    for (size_t i = 0; i < to.size(); ++i) to[i] = image.pixels[i * step + c];
  }
}

Image to_image(const Canvas& canvas) {
  Image image(canvas.height, canvas.width, canvas.channels);
  const auto step = static_cast<size_t>(canvas.channels);
  for (size_t c = 0; c < step; ++c) {
    const auto from = canvas.plane(static_cast<int64_t>(c));
    for (size_t i = 0; i < from.size(); ++i) {
      image.pixels[i * step + c] = static_cast<uint8_t>(std::clamp(from[i] + 0x1.0p-10F, 0.0F, 255.0F));
    }
  }
  return image;
}

Canvas luminance(const Canvas& canvas) {
  if (canvas.channels == 1) return canvas;
  Canvas grey(canvas.height, canvas.width, 1);
  const auto r = canvas.plane(0);
  const auto g = canvas.plane(1);
  const auto b = canvas.plane(2);
  for (size_t i = 0; i < r.size(); ++i) grey.values[i] = 0.299F * r[i] + 0.587F * g[i] + 0.114F * b[i];
  return grey;
}

}  // namespace orthant::corrupt
