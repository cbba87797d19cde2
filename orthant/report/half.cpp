#include "orthant/report/half.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::report {

uint16_t to_half(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000U;
  const float magnitude = std::fabs(value);
  check(magnitude < 65520.0F, "[half] expected a number below 65520, got ", value);
  if (magnitude < 0x1p-14F) {
    // A step of 2^-24 each; nearbyint rounds ties to even, and 1024 steps are the smallest normal number.
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(magnitude * 0x1p24F)));
  }
  // Rebias the exponent (127 to 15) and round the 13 bits that go: a carry moves into the exponent as it should.
  const uint32_t rebiased = (bits & 0x7fffffffU) - (112U << 23);
  const uint32_t even = (rebiased >> 13) & 1U;
  return static_cast<uint16_t>(sign | ((rebiased + 0xfffU + even) >> 13));
}

float half_scale(float max_magnitude) {
  check(std::isfinite(max_magnitude) && max_magnitude >= 0, "[half] expected a finite magnitude, got ", max_magnitude);
  if (max_magnitude == 0 || (max_magnitude >= 0x1p-6F && max_magnitude <= 0x1p15F)) return 1;
  return std::ldexp(1.0F, std::max(std::ilogb(max_magnitude), -126));
}

}  // namespace orthant::report
