#pragma once

#include <cstdint>

#include "orthant/views/sound_options.h"

namespace orthant::views {

// What the sides of the picture of a sound stand for: time from `begin` seconds at its left to `end` at its right,
// evenly, and frequency from `low` Hz at its bottom to `high` at its top, evenly in mels.
struct SoundAxes {
  double begin = 0;
  double end = 0;
  double low = 0;
  double high = 0;

  bool operator==(const SoundAxes&) const = default;
};

// The axes of `bands` rows of mel triangles between options.low and options.high that show the first `seconds` of a
// sound. A row lies around the middle of its triangle, so the outermost edges are half a step within these bounds.
SoundAxes sound_axes(const SoundOptions& options, int64_t bands, double seconds);

// The time at a share of the width from the left, and the frequency at a share of the height from the top; shares
// below 0 and above 1 lie beyond the picture.
double seconds_at(const SoundAxes& axes, double across);
double hz_at(const SoundAxes& axes, double down);

// The way back.
double across_at(const SoundAxes& axes, double seconds);
double down_at(const SoundAxes& axes, double hz);

}  // namespace orthant::views
