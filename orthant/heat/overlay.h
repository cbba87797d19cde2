#pragma once

#include <span>

#include "orthant/core/image.h"
#include "orthant/heat/heat_maps.h"

namespace orthant::heat {

// The picture, in RGB and faded to grey, with a map of it over it: red where a cell adds to the value, blue where it
// takes from it, stronger for larger parts; a part of size `largest` has the full colour. Between the middles of cells
// colours run evenly, so the grid is not seen; what the network did not see stays as it was, darkened. A picture
// smaller than 96 pixels a side is enlarged by a whole number first. `map` are rows x cols cells of `maps`.
// std::invalid_argument if the map is of another size, or the picture has no pixels.
Image overlay(const Image& picture, const HeatMaps& maps, std::span<const float> map, float largest);

// The largest size of a part, over all of a picture's maps or of one; at least 1e-12.
float largest_part(std::span<const float> map);

// What the full colour is for: the size that 15 in 1000 parts exceed, so that a single pixel does not leave all others
// pale. The largest of fewer than 67.
float strong_part(std::span<const float> map);

}  // namespace orthant::heat
