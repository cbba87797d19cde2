#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

// dSprites (Matthey et al., 2017): every combination of shape 3 (square, ellipse, heart) x scale 6 x orientation 40 x
// posX 32 x posY 32 as a binary picture of 64x64 pixels, one channel, 0 or 255. The original's first latent, color,
// has a single value and is left out; the other five come in the original's order with its values. The label is the
// shape. Orientation 39 is one full turn: the same picture as orientation 0.
inline constexpr std::array<int64_t, 5> kDspritesSizes = {3, 6, 40, 32, 32};
inline constexpr int64_t kDspritesCount = 737'280;

// The classes of the five factors (`latents_classes` of the original without color) and their place in the grid.
// std::invalid_argument out of range.
std::array<int32_t, 5> dsprites_classes(int64_t index);
int64_t dsprites_index(const std::array<int32_t, 5>& classes);

// The grid re-rendered: square and ellipse as published to within a few pixels on the outline, the heart of our own
// drawing. `split` is "all", the grid in its order, or one of the disjoint "train" and "test" (see standard_split()).
DatasetPtr make_dsprites(const std::string& split);

// The original file, dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz, or any .npz with imgs u8 [N, 64, 64],
// latents_classes i8 [N, 6], and optionally latents_values f8 [N, 6]. The pickled metadata in it are never read. All
// pictures are held in memory, 3 GB for the original. IoError for anything else.
DatasetPtr open_dsprites(const std::string& path, const std::string& split);

}  // namespace orthant
