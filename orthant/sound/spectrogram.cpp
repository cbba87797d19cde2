#include "orthant/sound/spectrogram.h"

#include <fftw3.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/sound/resample.h"
#include "orthant/views/mel.h"
#include "orthant/views/resize.h"

namespace orthant::sound {
namespace {

struct FreePlan {
  void operator()(fftwf_plan plan) const { fftwf_destroy_plan(plan); }
};
struct Free {
  void operator()(void* memory) const { fftwf_free(memory); }
};
template <class T>
using Room = std::unique_ptr<T[], Free>;

Room<float> real_room(size_t size) { return Room<float>(fftwf_alloc_real(size)); }
Room<fftwf_complex> complex_room(size_t size) { return Room<fftwf_complex>(fftwf_alloc_complex(size)); }

// Plans are made one at a time, once for each size, and used by all threads.
fftwf_plan plan_of(int size) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<fftwf_plan_s, FreePlan>> plans;
  const std::lock_guard lock(mutex);
  auto& plan = plans[size];
  if (!plan) {
    const Room<float> in = real_room(static_cast<size_t>(size));
    const Room<fftwf_complex> out = complex_room(static_cast<size_t>(size) / 2 + 1);
    plan.reset(fftwf_plan_dft_r2c_1d(size, in.get(), out.get(), FFTW_ESTIMATE | FFTW_DESTROY_INPUT));
  }
  return plan.get();
}

// The triangle of one band: weights of the bins from `first` on.
struct Band {
  int64_t first = 0;
  std::vector<float> weights;
};

std::vector<Band> mel_bands(const SoundOptions& o, int64_t bands, int64_t fft) {
  const double low = views::hz_to_mel(o.low);
  const double step = (views::hz_to_mel(o.high) - low) / static_cast<double>(bands + 1);
  const double bin = static_cast<double>(o.rate) / static_cast<double>(fft);
  std::vector<Band> all;
  for (int64_t b = 0; b < bands; ++b) {
    const double from = views::mel_to_hz(low + static_cast<double>(b) * step);
    const double middle = views::mel_to_hz(low + static_cast<double>(b + 1) * step);
    const double to = views::mel_to_hz(low + static_cast<double>(b + 2) * step);
    Band band;
    for (int64_t k = 0; k <= fft / 2; ++k) {
      const double hz = static_cast<double>(k) * bin;
      const double weight = std::min((hz - from) / (middle - from), (to - hz) / (to - middle));
      if (weight <= 0) continue;
      if (band.weights.empty()) band.first = k;
      band.weights.push_back(static_cast<float>(weight));
    }
    check(!band.weights.empty(), "[spectrogram] expected fewer bands for a window of ", o.window, " seconds, got ",
          bands);
    all.push_back(std::move(band));
  }
  return all;
}

std::vector<float> hann(int64_t length) {
  std::vector<float> window(static_cast<size_t>(length));
  for (size_t i = 0; i < window.size(); ++i) {
    const double turn = static_cast<double>(i) / static_cast<double>(length);
    window[i] = static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * turn));
  }
  return window;
}

int64_t samples_per_hop(const SoundOptions& o) {
  return std::max<int64_t>(1, std::llround(o.hop * static_cast<double>(o.rate)));
}

// Of long sounds no more frames than it takes to average them well.
SoundOptions picture_options(double seconds, int64_t side) {
  SoundOptions options;
  options.hop = std::min(std::max(options.hop, seconds / static_cast<double>(16 * side)), 1.0);
  return options;
}

// Powers [bands, frames], the lowest band first.
std::vector<float> mel_powers(const Sound& sound, const SoundOptions& o, int64_t bands, int64_t& frames) {
  const int64_t hop = samples_per_hop(o);
  const auto length = std::max<int64_t>(2, std::llround(o.window * static_cast<double>(o.rate)));
  const auto fft = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length)));
  const std::vector<Band> triangles = mel_bands(o, bands, fft);
  const std::vector<float> window = hann(length);
  fftwf_plan_s* plan = plan_of(static_cast<int>(fft));
  const Room<float> in = real_room(static_cast<size_t>(fft));
  const Room<fftwf_complex> out = complex_room(static_cast<size_t>(fft / 2 + 1));
  const int64_t samples = std::ssize(sound.samples);
  frames = (samples + hop - 1) / hop;
  std::vector<float> powers(static_cast<size_t>(bands * frames));
  std::vector<float> power(static_cast<size_t>(fft / 2 + 1));
  for (int64_t t = 0; t < frames; ++t) {
    const int64_t begin = t * hop + hop / 2 - length / 2;
    std::fill_n(in.get(), fft, 0.0F);
    for (int64_t i = std::max<int64_t>(0, -begin); i < std::min(length, samples - begin); ++i) {
      in[static_cast<size_t>(i)] = window[static_cast<size_t>(i)] * sound.samples[static_cast<size_t>(begin + i)];
    }
    fftwf_execute_dft_r2c(plan, in.get(), out.get());
    for (size_t k = 0; k < power.size(); ++k) power[k] = out[k][0] * out[k][0] + out[k][1] * out[k][1];
    for (int64_t b = 0; b < bands; ++b) {
      const Band& band = triangles[static_cast<size_t>(b)];
      float sum = 0;
      for (size_t k = 0; k < band.weights.size(); ++k)
        sum += band.weights[k] * power[static_cast<size_t>(band.first) + k];
      powers[static_cast<size_t>(b * frames + t)] = sum;
    }
  }
  return powers;
}

}  // namespace

Image spectrogram(const Sound& given, const SoundOptions& o, int64_t bands) {
  check(!given.samples.empty(), "[spectrogram] expected a sound, got none");
  check(bands >= 1 && bands <= 4096, "[spectrogram] expected 1 to 4096 bands, got ", bands);
  check(o.low < o.high && 2 * o.high <= static_cast<double>(o.rate),
        "[spectrogram] expected low < high <= half of rate, got ", o.low, ", ", o.high, " and ", o.rate);
  int64_t frames = 0;
  const std::vector<float> powers = given.rate == o.rate ? mel_powers(given, o, bands, frames)
                                                         : mel_powers(resampled(given, o.rate), o, bands, frames);
  const double loudest = *std::ranges::max_element(powers);
  Image picture(bands, frames, 1);
  if (!(loudest > 0)) return picture;
  const double per_db = 255 / o.range;
  for (int64_t b = 0; b < bands; ++b) {
    for (int64_t t = 0; t < frames; ++t) {
      const double share = powers[static_cast<size_t>(b * frames + t)] / loudest;
      const double level = share > 0 ? 255 + per_db * 10 * std::log10(share) : 0;
      picture.at(bands - 1 - b, t)[0] = static_cast<uint8_t>(std::clamp(std::round(level), 0.0, 255.0));
    }
  }
  return picture;
}

Image sound_picture(const Sound& sound, int64_t side) {
  const Image whole = spectrogram(sound, picture_options(sound.seconds(), side), side);
  return views::resize(whole, side, side);
}

views::SoundAxes spectrogram_axes(const Image& spectrogram, const SoundOptions& o) {
  const double frame = static_cast<double>(samples_per_hop(o)) / static_cast<double>(o.rate);
  return views::sound_axes(o, spectrogram.height, frame * static_cast<double>(spectrogram.width));
}

views::SoundAxes picture_axes(double seconds, int64_t side) {
  const SoundOptions options = picture_options(seconds, side);
  const double frame = static_cast<double>(samples_per_hop(options)) / static_cast<double>(options.rate);
  return views::sound_axes(options, side, frame * std::ceil(seconds / frame - 1e-9));
}

}  // namespace orthant::sound
