#pragma once

#include <cstdint>

namespace orthant::report {

// The IEEE 754 16-bit float nearest to `value`, as its bits; ties go to the even neighbour, and values below 2^-14
// become subnormal or zero, as the standard says. What would round to infinity (|value| >= 65520), infinity and NaN
// are std::invalid_argument: a report holds finite numbers only.
uint16_t to_half(float value);

// The power of two that numbers of this size are divided by before they are stored as 16-bit floats: 1 for ordinary
// ones, `max_magnitude` from 2^-6 up to 2^15; otherwise what brings max_magnitude into [1, 2), so that neither large
// numbers overflow nor small ones vanish. Multiplying back is exact. 1 for 0; max_magnitude must be finite.
float half_scale(float max_magnitude);

}  // namespace orthant::report
