#include "orthant/views/resize.h"

#include <array>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/views/resample.h"

namespace orthant::views {

Image resize(const Image& image, int64_t height, int64_t width) {
  check((image.channels == 1 || image.channels == 3) && !image.pixels.empty() &&
            checked_product(std::array{image.height, image.width, image.channels}) ==
                static_cast<int64_t>(image.pixels.size()),
        "[resize] expected a whole picture of 1 or 3 channels, got ", image.height, " x ", image.width, " x ",
        image.channels, " with ", image.pixels.size(), " values");
  check(height >= 1 && width >= 1 && height <= 65536 && width <= 65536, "[resize] expected sides from 1 to 65536, got ",
        height, " x ", width);
  Resampler resampler;
  resampler.begin(image, {.length = image.height, .resized = height}, {.length = image.width, .resized = width}, height,
                  width, false);
  AlignedBuffer row(image.channels * width);
  const Planes planes = planes_at(row.data(), image.channels, width);
  Image resized(height, width, image.channels);
  auto* to = resized.pixels.data();
  for (int64_t y = 0; y < height; ++y) {
    resampler.rows(y, y + 1, planes);
    for (int64_t x = 0; x < width; ++x) {
      for (size_t c = 0; c < static_cast<size_t>(image.channels); ++c) *to++ = static_cast<uint8_t>(planes.plane[c][x]);
    }
  }
  return resized;
}

}  // namespace orthant::views
