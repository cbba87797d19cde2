#pragma once

#include "orthant/views/planes.h"

namespace orthant::views {

// The pixel-wise operations, in place, on levels 0..255 (see planes.h). They equal Pillow's ImageEnhance and
// torchvision's functional operations to the level, but for rotate_hue, where a level may differ now and then.
// None fails or allocates; calls on different planes may run at the same time.

// x * factor.
void adjust_brightness(Planes planes, float factor);

// The sum of the pixels' grey levels (ITU-R 601, rounded as in Pillow's convert("L")): exact.
int64_t grey_sum(Planes planes);

// The whole level that contrast is measured from: the mean of `pixels` grey levels that add up to `sum`, rounded.
float contrast_level(int64_t sum, int64_t pixels);

// level + factor * (x - level), with the contrast_level of the whole picture.
void adjust_contrast(Planes planes, float factor, float level);

// grey + factor * (x - grey). One channel: nothing happens.
void adjust_saturation(Planes planes, float factor);

// Turns the hue by `turns` from -0.5 to 0.5, with Pillow's 8-bit HSV in between. One channel: nothing happens.
void rotate_hue(Planes planes, double turns);

// Puts the grey levels into the first plane; the others keep what they had. One channel: nothing happens.
void to_grey(Planes planes);

// 255 - x where x >= threshold.
void solarise(Planes planes, float threshold);

}  // namespace orthant::views
