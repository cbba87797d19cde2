#pragma once

#include "orthant/core/image.h"
#include "orthant/heat/heat_maps.h"
#include "orthant/views/sound_axes.h"

namespace orthant::cli {

constexpr int64_t kSoundCell = 224;  // the sides of a picture with its axes

// The part of a spectrogram that the network saw, without the silence around it, with time in seconds below it and
// frequency at its left: kSoundCell a side. With a map `m` of `maps` that lies over it, otherwise (-1) as it is.
Image sound_cell(const Image& spectrogram, const views::SoundAxes& axes, const heat::HeatMaps& maps, int64_t m);

}  // namespace orthant::cli
