#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"
#include "orthant/views/sound_options.h"

namespace orthant {

// The picture that views of `side` pixels of item i are cut from: of a sound its spectrogram with as many bands, of
// anything else Dataset::image_for(). Throws as these do.
Image view_source(const Dataset& dataset, int64_t i, int64_t side, const SoundOptions& sound = {});

// How long the sounds of a data set are, in seconds.
struct SoundLengths {
  int64_t looked_at = 0;
  double shortest = 0;
  double median = 0;
  double most = 0;  // nine of ten are no longer
  double longest = 0;
};

// Decodes at most `max_items`, spread evenly over the data set, on `threads` threads (0: as many as the machine
// offers). Those that cannot be read are passed over. std::invalid_argument unless the items are sounds.
SoundLengths sound_lengths(const Dataset& dataset, int64_t max_items, int threads = 0);

}  // namespace orthant
