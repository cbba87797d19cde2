#pragma once

#include <cstdint>

#include "orthant/core/sound.h"

namespace orthant::sound {

// The sound at another rate, without aliasing (libsamplerate's band-limited interpolation); itself at its own. It has
// at least one sample. std::invalid_argument unless both rates are positive and neither is 256 times the other.
Sound resampled(Sound sound, int64_t rate);

}  // namespace orthant::sound
