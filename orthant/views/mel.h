#pragma once

#include <cmath>

namespace orthant::views {

// The mel scale, on which equal steps sound equal (O'Shaughnessy's formula, as in HTK).
inline double hz_to_mel(double hz) { return 2595.0 * std::log10(1.0 + hz / 700.0); }
inline double mel_to_hz(double mel) { return 700.0 * (std::pow(10.0, mel / 2595.0) - 1.0); }

}  // namespace orthant::views
