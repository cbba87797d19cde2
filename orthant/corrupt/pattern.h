#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

// Random layers [1, height, width] with values from 0 to 1. Both sides are at least 1.

// Clouds by the diamond-square rule on a torus of the next power of two: from step to half step, each new point is the
// mean of its four neighbours plus noise whose amplitude falls by decay * decay (decay > 0). Stretched to 0..1; the
// coarsest step is the whole picture, whatever its size.
Canvas plasma(int64_t height, int64_t width, double decay, Rng& rng);

// Smooth random blobs: uniform values on a lattice with cells of that many pixels (each > 0), interpolated.
Canvas value_noise(int64_t height, int64_t width, double cell_height, double cell_width, Rng& rng);

// Ice on a window: branching needles that grow from a corner and from seeds, over a thin uneven haze. Lengths are in
// units of `scale` pixels.
Canvas ice(int64_t height, int64_t width, double scale, Rng& rng);

}  // namespace orthant::corrupt
