#pragma once

#include <array>
#include <cstdint>

#include "orthant/views/aligned_buffer.h"

namespace orthant::views {

// The symmetric weights of a blur along one axis: weights[0] in the middle, weights[k] at distance k on both sides.
// Multiples of 2^-15 that add up to 1.
struct BlurKernel {
  static constexpr int64_t kMaxRadius = 32;

  int64_t radius = 0;
  std::array<float, kMaxRadius + 1> weights{1.0f};
};

// The kernel of Pillow's ImageFilter.GaussianBlur(sigma): three box filters of fractional width in a row, together
// close to a Gaussian of standard deviation sigma. 0 <= sigma <= 10, or std::invalid_argument.
BlurKernel blur_kernel(double sigma);

// Blurs a plane of levels [height, width] in place along both axes, its edge repeated outwards. Pillow rounds after
// each of its six filters and we after each axis, so a level may differ by one.
void blur(float* plane, int64_t height, int64_t width, const BlurKernel& kernel, AlignedBuffer& scratch);

}  // namespace orthant::views
