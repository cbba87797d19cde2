#pragma once

#include <cstdint>

#include "orthant/corrupt/canvas.h"

namespace orthant::corrupt {

// What lies beyond the edge of a row a b c d.
enum class Border {
  nearest,  // d d d d: the last pixel again
  reflect,  // d c b a: mirrored at the edge of the last pixel
  mirror,   // c b a: mirrored at the last pixel itself
};

// The pixel of a row of n that stands for position i, which may be any number.
int64_t border_index(int64_t i, int64_t n, Border border);

// All filters work on every plane, in place, and keep what is constant.

// A Gaussian of standard deviation sigma, cut off `radius` pixels from its middle and normalised. sigma <= 0 or
// radius <= 0: nothing happens.
void gaussian(Canvas& canvas, double sigma, int64_t radius, Border border);

// The mean over the pixels whose centre is at most `radius` away, mirrored at the edge.
void disk(Canvas& canvas, double radius);

// The picture dragged along a line: the mean of round(2 radius + 1) pixels in the direction of `angle` (degrees,
// downwards from the right), weighted by the half of a Gaussian of standard deviation sigma that begins at the pixel.
// The edge is repeated outwards. This is how ImageMagick draws motion.
void motion(Canvas& canvas, double radius, double sigma, double angle);

// The middle of a picture, enlarged by `factor` >= 1 to the size of the whole, bilinear: the ceil(n / factor) pixels in
// the middle of an axis are stretched to round(factor times as many), first on first and last on last, and the middle
// n of those are kept.
Canvas zoom(const Canvas& canvas, double factor);

// The level of a plane at (y, x), which may lie anywhere, bilinear. `plane` has height x width values.
float sample(std::span<const float> plane, int64_t height, int64_t width, double y, double x, Border border);

}  // namespace orthant::corrupt
