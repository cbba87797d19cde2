#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

void elastic(Canvas& picture, int severity, Rng& rng);
void pixelate(Canvas& picture, int severity, Rng& rng);
void jpeg(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
