#pragma once

#include "orthant/core/rng.h"
#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

void brightness(Canvas& picture, int severity, Rng& rng);
void contrast(Canvas& picture, int severity, Rng& rng);
void saturate(Canvas& picture, int severity, Rng& rng);

}  // namespace orthant::corrupt
