#include "orthant/views/sound_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/views/mel.h"

namespace orthant::views {
namespace {

constexpr double kTop = 255;        // the level of the loudest spot
constexpr double kNoiseTilt = 0.3;  // the most that noise falls from the lowest band to the highest, of its level

double levels_per_db(const ViewOptions& options) { return kTop / options.sound.range; }

double frames_of(const ViewOptions& options) { return options.sound.seconds / options.sound.hop; }

// A factor from 1 / (1 + strength) to 1 + strength, as likely below 1 as above.
double factor(double strength, Rng& rng) {
  return strength == 0 ? 1.0 : std::exp(rng.uniform(-1, 1) * std::log1p(strength));
}

// The frame at which the loudest stretch of `frames` begins.
double loudest(const Image& spectrogram, double frames) {
  const int64_t length = std::clamp<int64_t>(std::llround(frames), 1, spectrogram.width);
  std::vector<int64_t> sums(static_cast<size_t>(spectrogram.width) + 1);
  for (int64_t y = 0; y < spectrogram.height; ++y) {
    for (int64_t x = 0; x < spectrogram.width; ++x) sums[static_cast<size_t>(x) + 1] += spectrogram.at(y, x)[0];
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  int64_t best = 0;
  int64_t most = -1;
  for (int64_t x = 0; x + length <= spectrogram.width; ++x) {
    const int64_t sum = sums[static_cast<size_t>(x + length)] - sums[static_cast<size_t>(x)];
    if (sum > most) {
      most = sum;
      best = x;
    }
  }
  return static_cast<double>(best);
}

double begin_of(const Image& spectrogram, double frames, double shift, Rng& rng) {
  const double room = static_cast<double>(spectrogram.width) - frames;  // negative: the view is longer
  if (shift == 0) return room > 0 ? loudest(spectrogram, frames) : room / 2;
  const double over = shift * std::min(frames, static_cast<double>(spectrogram.width));
  return rng.uniform(std::min(0.0, room) - over, std::max(0.0, room) + over);
}

Stretch mask(double share, int64_t size, Rng& rng) {
  if (share == 0) return {};
  const auto width = static_cast<int64_t>(rng.uniform() * (share * static_cast<double>(size) + 1));
  const auto begin = static_cast<int64_t>(rng.below(static_cast<uint64_t>(size - width + 1)));
  return {begin, begin + width};
}

// Means over the frames that each column covers, of every band: [bands, size].
void resample_time(const Image& spectrogram, double begin, double frames, int64_t size, float* out) {
  const double step = frames / static_cast<double>(size);
  const double width = std::max(step, 1.0);
  const auto last = static_cast<double>(spectrogram.width);
  for (int64_t x = 0; x < size; ++x) {
    const double middle = begin + (static_cast<double>(x) + 0.5) * step;
    const double from = std::clamp(middle - width / 2, 0.0, last);
    const double to = std::clamp(middle + width / 2, 0.0, last);
    const auto first = static_cast<int64_t>(from);
    const int64_t end = std::min(static_cast<int64_t>(std::ceil(to)), spectrogram.width);
    for (int64_t y = 0; y < spectrogram.height; ++y) {
      const uint8_t* row = spectrogram.pixels.data() + y * spectrogram.width;
      double sum = 0;
      for (int64_t t = first; t < end; ++t) {
        const auto at = static_cast<double>(t);
        sum += (std::min(to, at + 1) - std::max(from, at)) * row[t];
      }
      out[y * size + x] = static_cast<float>(sum / width);
    }
  }
}

// Where the frequency that band `band` is about lay before all were multiplied by `pitch`, in bands.
double before_pitch(double band, double pitch, const ViewOptions& options) {
  const double low = hz_to_mel(options.sound.low);
  const double step = (hz_to_mel(options.sound.high) - low) / static_cast<double>(options.size + 1);
  const double hz = mel_to_hz(low + (band + 1) * step);
  return (hz_to_mel(hz / pitch) - low) / step - 1;
}

// Row `row` of the view: a mix of two bands of [bands, size] where the pitch is another one; silence beyond the ends.
void mix_bands(const float* bands, int64_t row, double pitch, const ViewOptions& options, float* out) {
  const int64_t size = options.size;
  if (pitch == 1) {
    std::copy_n(bands + row * size, size, out);
    return;
  }
  const double band = before_pitch(static_cast<double>(size - 1 - row), pitch, options);
  const double upper = static_cast<double>(size - 1) - band;  // as a row
  const double floor = std::floor(upper);
  const auto share = static_cast<float>(upper - floor);
  const auto first = static_cast<int64_t>(floor);
  std::fill_n(out, size, 0.0F);
  const auto add = [&](int64_t source, float weight) {
    if (source < 0 || source >= size) return;
    for (int64_t x = 0; x < size; ++x) out[x] += weight * bands[source * size + x];
  };
  add(first, 1 - share);
  add(first + 1, share);
}

// Levels that a power of twice as much is higher, and so on: what log(1 + 10^(-d)) comes to for d levels between.
class PowerSum {
 public:
  explicit PowerSum(double per_db) {
    for (size_t d = 0; d < more_.size(); ++d) {
      const double db = static_cast<double>(d) / per_db;
      more_[d] = static_cast<float>(per_db * 10 * std::log10(1 + std::pow(10, -db / 10)));
    }
  }

  float operator()(float a, float b) const {
    const float apart = std::min(std::abs(a - b), 255.0F);
    return std::max(a, b) + more_[static_cast<size_t>(apart)];
  }

 private:
  std::array<float, 256> more_{};
};

// Levels of a grain of noise relative to its mean power, which is distributed exponentially in one bin of a spectrum.
class Grain {
 public:
  explicit Grain(double per_db) {
    for (size_t q = 0; q < levels_.size(); ++q) {
      const double quantile = (static_cast<double>(q) + 0.5) / static_cast<double>(levels_.size());
      levels_[q] = static_cast<float>(per_db * 10 * std::log10(-std::log1p(-quantile)));
    }
  }

  float operator[](uint8_t q) const { return levels_[q]; }

 private:
  std::array<float, 256> levels_{};
};

void add_noise(std::span<float> levels, const ViewOptions& options, const SoundViewParameters& p, Rng& rng) {
  const PowerSum sum(levels_per_db(options));
  const Grain grain(levels_per_db(options));
  uint32_t bits = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (i % 4 == 0) bits = rng.next();
    const auto band = static_cast<double>(options.size - 1 - static_cast<int64_t>(i) / options.size);
    const auto level = static_cast<float>(p.noise - p.noise_tilt * band / static_cast<double>(options.size));
    levels[i] = sum(levels[i], level + grain[static_cast<uint8_t>(bits >> (8 * (i % 4)))]);
  }
}

}  // namespace

SoundViewParameters sample_sound(const Image& spectrogram, const ViewOptions& options, Rng& rng) {
  const SoundViewOptions& o = options.sound_views;
  const double per_db = levels_per_db(options);
  SoundViewParameters p;
  p.frames = frames_of(options) * factor(o.speed, rng);
  p.begin = begin_of(spectrogram, p.frames, o.shift, rng);
  p.pitch = factor(o.pitch, rng);
  if (o.gain > 0) {
    p.gain_low = per_db * rng.uniform(-o.gain, o.gain);
    p.gain_high = per_db * rng.uniform(-o.gain, o.gain);
  }
  if (o.noise_probability > 0 && rng.bernoulli(o.noise_probability)) {
    p.noise = kTop - per_db * rng.uniform(o.noise_loud, o.noise_quiet);
    p.noise_tilt = rng.uniform() * kNoiseTilt * kTop;
  }
  p.bands = mask(o.mask_bands, options.size, rng);
  p.columns = mask(o.mask_time, options.size, rng);
  return p;
}

void make_sound_view(const Image& spectrogram, const ViewOptions& options, const SoundViewParameters& p, Rng& rng,
                     AlignedBuffer& scratch, std::span<float> out) {
  const int64_t size = options.size;
  check(static_cast<int64_t>(out.size()) == options.view_size(), "[sound view] expected room for ", options.view_size(),
        " floats, got ", out.size());
  check(spectrogram.channels == 1 && spectrogram.height == size && spectrogram.width > 0,
        "[sound view] expected a spectrogram of ", size, " bands, got ", spectrogram.height, " x ", spectrogram.width,
        " x ", spectrogram.channels);
  float* bands = scratch.grow(size * size);
  resample_time(spectrogram, p.begin, p.frames, size, bands);
  const auto levels = out.first(static_cast<size_t>(size * size));
  for (int64_t y = 0; y < size; ++y) mix_bands(bands, y, p.pitch, options, levels.data() + y * size);
  if (p.noise > 0) add_noise(levels, options, p, rng);
  const auto mean = static_cast<float>(kTop * options.mean_r);
  const auto scale = static_cast<float>(1 / (kTop * options.std_r));
  for (int64_t y = 0; y < size; ++y) {
    const double up = size > 1 ? static_cast<double>(size - 1 - y) / static_cast<double>(size - 1) : 0;
    const auto gain = static_cast<float>(p.gain_low + up * (p.gain_high - p.gain_low));
    const bool masked = y >= p.bands.begin && y < p.bands.end;
    for (int64_t x = 0; x < size; ++x) {
      float& value = levels[static_cast<size_t>(y * size + x)];
      // Silence has nothing to amplify.
      const float level = value > 0 ? std::clamp(value + gain, 0.0F, static_cast<float>(kTop)) : 0.0F;
      value = masked || (x >= p.columns.begin && x < p.columns.end) ? 0.0F : (level - mean) * scale;
    }
  }
  for (int64_t c = 1; c < options.channels; ++c) {
    std::ranges::copy(levels, out.begin() + static_cast<ptrdiff_t>(c) * std::ssize(levels));
  }
}

}  // namespace orthant::views
