#pragma once

#include <cstdint>
#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct SpritesOptions {
  int64_t size = 0;             // 0: 50,000 for train, 10,000 for test
  std::string split = "train";  // "train" or "test": no picture of one is in the other
  uint64_t seed = 0;            // another seed, other pictures
};

// The built-in data set: 32x32 RGB pictures of one of sixteen figures, painted on demand from the index, so it needs
// no files and has any size. Item i depends on nothing but (seed, split, i).
//
// Nine factors, each drawn uniformly and independently of all others: shape (the label), colour, size, rotation,
// position_x, position_y, texture, background, noise. Within the class of a factor the picture still varies a little:
// the hue, a few degrees, parts of a pixel. The tone of the background is not a factor: it is drawn among those that
// the figure stands out from.
//
// std::invalid_argument for another split or a negative size.
DatasetPtr make_sprites(const SpritesOptions& options = {});

// Where the figure of item i is: a grey picture, 255 where it covers a pixel whole. std::invalid_argument for an item
// that is not there.
Image sprite_mask(const SpritesOptions& options, int64_t i);

}  // namespace orthant
