#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

// Each of these, and of the corruptions in the headers beside this one, changes a picture in place as
// docs/corruptions.md says; `severity` is from 1 to 5.

void gaussian_noise(Canvas& picture, int severity, Rng& rng);
void shot_noise(Canvas& picture, int severity, Rng& rng);
void impulse_noise(Canvas& picture, int severity, Rng& rng);
void speckle_noise(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
