#pragma once

#include <cstdint>

#include "learn/nn/winograd.h"

namespace orthant {

// How images are cut into 4x4 tiles, those at the lower and right edges possibly reaching beyond the image.
struct WinogradTiles {
  WinogradShape shape;
  int64_t rows;
  int64_t columns;

  explicit WinogradTiles(const WinogradShape& s) : shape(s), rows((s.height + 3) / 4), columns((s.width + 3) / 4) {}

  int64_t per_image() const { return rows * columns; }
  // Floats from one point's matrix [tiles, channels] to the next. The extra line keeps the 36 matrices of power-of-two
  // sizes from falling onto the same cache sets.
  int64_t matrix_stride(int64_t images, int64_t channels) const {
    return images * per_image() * channels + kWinogradLanes;
  }
};

}  // namespace orthant
