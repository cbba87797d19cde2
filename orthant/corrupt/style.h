#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

// A painting of the picture: flat areas instead of its texture, the colours of a random palette, and the strokes of a
// random brush. Outlines stay where they are.
void stylised(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
