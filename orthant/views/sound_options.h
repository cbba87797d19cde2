#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// How a sound becomes a picture (see orthant/sound/spectrogram.h) and how much of it a view shows. What a network was
// trained with is kept with it.
struct SoundOptions {
  int64_t rate = 16000;  // samples per second that every sound is brought to
  double window = 0.025;
  double hop = 0.01;  // seconds from frame to frame
  double low = 60;    // Hz, where the lowest band begins
  double high = 7600;
  double range = 80;   // dB below the loudest spot that are black
  double seconds = 0;  // that a view shows; 0: these are no sounds

  bool operator==(const SoundOptions&) const = default;
};

// How random views of a sound are made, all on its spectrogram. The defaults are the preset `simclr`.
struct SoundViewOptions {
  double shift = 0.25;  // share of what a view could show that may be cut off at either end
  double speed = 0.2;   // tempo times 1 / (1 + speed) to 1 + speed; the pitch stays
  double pitch = 0.15;  // all frequencies times 1 / (1 + pitch) to 1 + pitch; the tempo stays
  double gain = 6;      // dB more or less, drawn apart for the lowest and the highest band and straight between
  double noise_probability = 0.5;
  double noise_quiet = 60;  // dB that the noise lies below the loudest spot
  double noise_loud = 20;
  double mask_bands = 0.25;  // widest share of the bands that are masked, and of the time
  double mask_time = 0.25;

  bool operator==(const SoundViewOptions&) const = default;
};

// No random choice: the middle of a sound that is shorter than the view, the loudest part of one that is longer.
constexpr SoundViewOptions kPlainSoundViews{
    .shift = 0, .speed = 0, .pitch = 0, .gain = 0, .noise_probability = 0, .mask_bands = 0, .mask_time = 0};

// Settings are listed once; see orthant/core/fields.h.

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, SoundOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits time{.min = 0.001, .max = 1};
  visit(Field{"rate", "Samples per second that sounds are brought to", {.min = 1000, .max = 192000}}, o.rate);
  visit(Field{"window", "Seconds that a frame of a spectrogram looks at", time}, o.window);
  visit(Field{"hop", "Seconds from frame to frame", time}, o.hop);
  visit(Field{"low", "Hz where the lowest band begins", {.min = 0, .max = 96000}}, o.low);
  visit(Field{"high", "Hz where the highest band ends", {.min = 1, .max = 96000}}, o.high);
  visit(Field{"range", "dB below the loudest spot that are black", {.min = 1, .max = 200}}, o.range);
  visit(Field{"seconds", "Seconds of sound in a view; 0: chosen from the data", {.min = 0, .max = 60}}, o.seconds);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, SoundViewOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits share{.min = 0, .max = 0.9};
  const Limits below{.min = 0, .max = 200};
  visit(Field{"shift", "Share of a sound that a view may cut off at either end", share}, o.shift);
  visit(Field{"speed", "Strength of the change of tempo", {.min = 0, .max = 4}}, o.speed);
  visit(Field{"pitch", "Strength of the change of pitch", {.min = 0, .max = 4}}, o.pitch);
  visit(Field{"gain", "dB louder or quieter, apart at both ends of the spectrum", below}, o.gain);
  visit(Field{"noise_probability", "Probability of noise", {.min = 0, .max = 1}}, o.noise_probability);
  visit(Field{"noise_quiet", "dB below the loudest spot of the quietest noise", below}, o.noise_quiet);
  visit(Field{"noise_loud", "dB below the loudest spot of the loudest noise", below}, o.noise_loud);
  visit(Field{"mask_bands", "Widest share of the bands that are masked", share}, o.mask_bands);
  visit(Field{"mask_time", "Widest share of the time that is masked", share}, o.mask_time);
}

}  // namespace orthant
