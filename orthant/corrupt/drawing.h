#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

// The outlines of a picture, dark on white paper, with less shading and fewer lines the more severe.
void sketch(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
