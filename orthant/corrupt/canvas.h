#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/image.h"

namespace orthant::corrupt {

// A picture while it is corrupted, or a layer that is to be laid over one: planes [channels, height, width] of float32.
// A picture has levels from 0 to 255, which an operation may leave: they are clipped at the end. A layer has whatever
// range its maker says.
struct Canvas {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  std::vector<float> values;

  Canvas(int64_t h, int64_t w, int64_t c, float fill = 0)
      : height(h), width(w), channels(c), values(static_cast<size_t>(h * w * c), fill) {}
  explicit Canvas(const Image& image);

  size_t pixels() const { return static_cast<size_t>(height * width); }
  std::span<float> plane(int64_t c) { return std::span(values).subspan(static_cast<size_t>(c) * pixels(), pixels()); }
  std::span<const float> plane(int64_t c) const {
    return std::span(values).subspan(static_cast<size_t>(c) * pixels(), pixels());
  }
  float* row(int64_t c, int64_t y) { return values.data() + (c * height + y) * width; }
  const float* row(int64_t c, int64_t y) const { return values.data() + (c * height + y) * width; }

  // How many times larger than CIFAR's pictures this is; lengths in pixels are multiplied by it.
  double scale() const { return static_cast<double>(std::min(height, width)) / 32.0; }
};

// Clipped to 0..255 and truncated to whole levels, as the benchmark does; what lies below a level by less than 2^-10 is
// taken for a rounding error and counts as that level.
Image to_image(const Canvas& canvas);

// The luminance [1, height, width] (ITU-R 601) of a picture in colour; a grey one is its own.
Canvas luminance(const Canvas& canvas);

}  // namespace orthant::corrupt
