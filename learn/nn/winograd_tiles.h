#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/nn/winograd.h"

namespace orthant {

// How outputs are cut into 4x4 tiles, those at the lower and right edges possibly reaching beyond the image.
struct WinogradTiles {
  WinogradShape shape;
  int64_t rows;
  int64_t columns;

  explicit WinogradTiles(const WinogradShape& s)
      : shape(s), rows((s.out_height() + 3) / 4), columns((s.out_width() + 3) / 4) {}

  int64_t per_image() const { return rows * columns; }
  // Floats from one point's matrix [tiles, channels] to the next. The extra line keeps matrices of power-of-two
  // sizes from falling onto the same cache sets.
  static int64_t matrix_stride(int64_t count, int64_t channels) { return count * channels + kWinogradLanes; }
};

// One tile: its image and its corner in the output.
struct WinogradTile {
  int64_t image;
  int64_t y;
  int64_t x;
};

// Tiles that go through the transforms and products together: `count` of them from the first on, image after image.
struct WinogradBlock {
  const WinogradTiles& tiles;
  int64_t first;
  int64_t count;

  WinogradTile tile(int64_t t) const {
    const int64_t at = (first + t) % tiles.per_image();
    return {(first + t) / tiles.per_image(), at / tiles.columns * 4, at % tiles.columns * 4};
  }
  // As many tiles behind these, or those that are left.
  WinogradBlock next() const {
    const int64_t begin = first + count;
    return {tiles, begin, std::min(count, tiles.shape.batch * tiles.per_image() - begin)};
  }
};

}  // namespace orthant
