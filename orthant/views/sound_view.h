#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/image.h"
#include "orthant/core/rng.h"
#include "orthant/views/aligned_buffer.h"
#include "orthant/views/options.h"

namespace orthant::views {

// From `begin` on, `end` excluded; nothing where both are equal.
struct Stretch {
  int64_t begin = 0;
  int64_t end = 0;

  bool operator==(const Stretch&) const = default;
};

// Every random choice that makes one view of one spectrogram.
struct SoundViewParameters {
  double begin = 0;       // frame at which the view begins; beyond either end there is silence
  double frames = 0;      // that it shows
  double pitch = 1;       // factor of all frequencies
  double gain_low = 0;    // levels added to the lowest band
  double gain_high = 0;   // and to the highest
  double noise = 0;       // mean level of the noise in the lowest band; 0: none
  double noise_tilt = 0;  // levels by which it falls to the highest band
  Stretch bands = {};     // rows that are masked
  Stretch columns = {};

  bool operator==(const SoundViewParameters&) const = default;
};

// Draws the choices for the spectrogram of a sound. Without strength (kPlainSoundViews) nothing is drawn: the middle of
// the view is that of a sound that is no longer, and of a longer one the part whose levels sum to most.
SoundViewParameters sample_sound(const Image& spectrogram, const ViewOptions& options, Rng& rng);

// Makes the view that the parameters describe: float32 [channels, size, size], normalised, into `out`; the highest band
// is the first row. Frames are averaged where they are more than columns. Masked parts have the mean level of the data.
// Noise adds as power does; its grain comes from `rng`. `scratch` is working memory.
//
// std::invalid_argument if `out` has not options.view_size() floats, or the spectrogram is not grey with `size` rows.
void make_sound_view(const Image& spectrogram, const ViewOptions& options, const SoundViewParameters& parameters,
                     Rng& rng, AlignedBuffer& scratch, std::span<float> out);

}  // namespace orthant::views
