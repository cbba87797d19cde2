#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

void defocus_blur(Canvas& picture, int severity, Rng& rng);
void glass_blur(Canvas& picture, int severity, Rng& rng);
void motion_blur(Canvas& picture, int severity, Rng& rng);
void zoom_blur(Canvas& picture, int severity, Rng& rng);
void gaussian_blur(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
