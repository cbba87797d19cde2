#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "orthant/heat/sound_place.h"

namespace orthant::report {

// Two numbers to be read: milliseconds, or tenths of Hz.
inline nlohmann::ordered_json seconds_json(double begin, double end) {
  return {std::round(begin * 1000) / 1000, std::round(end * 1000) / 1000};
}
inline nlohmann::ordered_json hz_json(double low, double high) {
  return {std::round(low * 10) / 10, std::round(high * 10) / 10};
}

// {"seconds":[0,0.67],"hz":[74,7450],"seen":[0,0.67]}: what the sides of the picture of a sound stand for, and which
// stretch of it the network saw.
inline nlohmann::ordered_json sound_json(const heat::HeatMaps& maps, const views::SoundAxes& axes) {
  const heat::SoundPlace seen = heat::seen_place(maps, axes);
  return {{"seconds", seconds_json(axes.begin, axes.end)},
          {"hz", hz_json(axes.low, axes.high)},
          {"seen", seconds_json(seen.begin, seen.end)}};
}

// {"seconds":[0.42,0.61],"hz":[1800,3100],"share":0.4,"words":"0.42-0.61 s, 1.8-3.1 kHz"}: where map m is strongest in
// a sound; null if nothing adds to it.
inline nlohmann::ordered_json place_json(const heat::HeatMaps& maps, int64_t m, const views::SoundAxes& axes) {
  const auto place = heat::strongest_place(maps, m, axes);
  if (!place) return nullptr;
  return {{"seconds", seconds_json(place->begin, place->end)},
          {"hz", hz_json(place->low, place->high)},
          {"share", std::round(place->share * 1000.0) / 1000},
          {"words", heat::place_text(*place)}};
}

}  // namespace orthant::report
