#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

void snow(Canvas& picture, int severity, Rng& rng);
void frost(Canvas& picture, int severity, Rng& rng);
void fog(Canvas& picture, int severity, Rng& rng);
void spatter(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
