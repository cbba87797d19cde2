#include "orthant/views/sound_axes.h"

#include <algorithm>

#include "orthant/views/mel.h"

namespace orthant::views {

SoundAxes sound_axes(const SoundOptions& options, int64_t bands, double seconds) {
  const double low = hz_to_mel(options.low);
  const double high = hz_to_mel(options.high);
  const double half = (high - low) / static_cast<double>(bands + 1) / 2;
  return {.begin = 0, .end = seconds, .low = mel_to_hz(low + half), .high = mel_to_hz(high - half)};
}

double seconds_at(const SoundAxes& axes, double across) { return axes.begin + across * (axes.end - axes.begin); }

double hz_at(const SoundAxes& axes, double down) {
  const double high = hz_to_mel(axes.high);
  return std::max(0.0, mel_to_hz(high + down * (hz_to_mel(axes.low) - high)));
}

double across_at(const SoundAxes& axes, double seconds) { return (seconds - axes.begin) / (axes.end - axes.begin); }

double down_at(const SoundAxes& axes, double hz) {
  const double high = hz_to_mel(axes.high);
  return (hz_to_mel(hz) - high) / (hz_to_mel(axes.low) - high);
}

}  // namespace orthant::views
