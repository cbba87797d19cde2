#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orthant/heat/heat_maps.h"
#include "orthant/views/sound_axes.h"

namespace orthant::heat {

// A rectangle of time and band in a sound.
struct SoundPlace {
  double begin = 0;  // seconds; both at one end of the sound: the silence there, which fills the view
  double end = 0;
  double low = 0;  // Hz
  double high = 0;
  float share = 0;  // of all parts that have the sign of the value, what lies in the rectangle
};

// Where map m of a sound is strongest: the cell with the largest part of the value's sign (red of a value of 0 or
// more), and all cells that hang together with it by their sides and have at least half of that; the rectangle around
// them, cut off at the ends of the sound. Of finer additive maps, at most 8 x 8 cells. Nothing if no part has that
// sign. The maps' box lies on a picture of the whole sound with these axes.
std::optional<SoundPlace> strongest_place(const HeatMaps& maps, int64_t m, const views::SoundAxes& axes);

// All that the network saw: the whole box, cut off at the ends of the sound; its share is 1.
SoundPlace seen_place(const HeatMaps& maps, const views::SoundAxes& axes);

// "0.42-0.61 s, 1.8-3.1 kHz", "210-640 Hz", "640 Hz-1.2 kHz"; "the silence before it, ..." or "after it".
std::string place_text(const SoundPlace& place);
std::string seconds_text(double begin, double end);

// A box on one picture of a sound as that on another one.
Box moved_box(const Box& box, const views::SoundAxes& from, const views::SoundAxes& to);

}  // namespace orthant::heat
