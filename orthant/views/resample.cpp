#include "orthant/views/resample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/views/resample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "orthant/views/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::views::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

// Keys' cubic with a = -1/2 at x >= 0.
template <class V>
HWY_INLINE V cubic(D d, V x) {
  const V near =
      hn::Add(hn::Mul(hn::Mul(hn::Sub(hn::Mul(hn::Set(d, 1.5f), x), hn::Set(d, 2.5f)), x), x), hn::Set(d, 1.0f));
  V far = hn::Add(hn::Mul(hn::Sub(x, hn::Set(d, 5.0f)), x), hn::Set(d, 8.0f));
  far = hn::Mul(hn::Sub(hn::Mul(far, x), hn::Set(d, 4.0f)), hn::Set(d, -0.5f));
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, 1.0f)), near, hn::IfThenElseZero(hn::Lt(x, hn::Set(d, 2.0f)), far));
}

void plan_weights(Taps& taps, const float* HWY_RESTRICT distance, float shrink) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const hn::RebindToSigned<D> di;
  float* HWY_RESTRICT weights = taps.weights.data();
  for (int64_t i = 0; i < taps.outputs; i += lanes) {
    const auto start = hn::LoadU(d, distance + i);
    const auto count = hn::ConvertTo(d, hn::LoadU(di, taps.count.data() + i));
    auto sum = hn::Zero(d);
    for (int64_t k = 0; k < taps.most; ++k) {
      const auto index = hn::Set(d, static_cast<float>(k));
      const auto x = hn::Mul(hn::Abs(hn::Add(start, index)), hn::Set(d, shrink));
      const auto weight = hn::IfThenElseZero(hn::Lt(index, count), cubic(d, x));
      hn::Store(weight, d, weights + k * taps.stride + i);
      sum = hn::Add(sum, weight);
    }
    // What rounding takes from one weight is given to the next.
    const auto unit = hn::Div(hn::Set(d, 32768.0f), sum);
    auto carry = hn::Zero(d);
    for (int64_t k = 0; k < taps.most; ++k) {
      float* HWY_RESTRICT at = weights + k * taps.stride + i;
      const auto exact = hn::Add(hn::Mul(hn::Load(d, at), unit), carry);
      const auto rounded = hn::Round(exact);
      carry = hn::Sub(exact, rounded);
      hn::Store(hn::Mul(rounded, hn::Set(d, 1.0f / 32768.0f)), d, at);
    }
  }
}

void plan_bands(Resampler::State& s) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t groups = (s.width + lanes - 1) / lanes;
  s.band_first.resize(static_cast<size_t>(groups));
  s.band_count.resize(static_cast<size_t>(groups));
  const Taps& taps = s.across;
  const auto output = [&](int64_t x) { return static_cast<size_t>(s.flip ? s.width - 1 - x : x); };
  int64_t vectors = 0;
  for (int64_t group = 0; group < groups; ++group) {
    // first and first + count rise with the output, so the ends of the group bound it.
    size_t low = output(group * lanes);
    size_t high = output(std::min(s.width, (group + 1) * lanes) - 1);
    if (s.flip) std::swap(low, high);
    const auto g = static_cast<size_t>(group);
    s.band_first[g] = taps.first[low];
    s.band_count[g] = taps.first[high] + taps.count[high] - taps.first[low];
    vectors += s.band_count[g];
  }
  float* HWY_RESTRICT band = s.band_weights.grow(vectors * lanes);
  std::memset(band, 0, static_cast<size_t>(vectors * lanes) * sizeof(float));
  for (int64_t group = 0; group < groups; ++group) {
    const auto g = static_cast<size_t>(group);
    const int64_t last = std::min(s.width, (group + 1) * lanes);
    for (int64_t x = group * lanes; x < last; ++x) {
      const size_t from = output(x);
      float* HWY_RESTRICT to = band + (taps.first[from] - s.band_first[g]) * lanes + (x - group * lanes);
      const float* HWY_RESTRICT weight = taps.weights.data() + from;
      for (int32_t k = 0; k < taps.count[from]; ++k) to[k * lanes] = weight[k * taps.stride];
    }
    band += s.band_count[g] * lanes;
  }
}

void expand_row(const uint8_t* HWY_RESTRICT from, int64_t count, float* HWY_RESTRICT to) {
  for_vectors(count, [=](auto d, int64_t i) HWY_ATTR {
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const hn::RebindToSigned<decltype(d)> di;
    hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, from + i))), d, to + i);
  });
}

template <int kChannels>
HWY_INLINE void filter_across(const Resampler::State& s, const float* HWY_RESTRICT source, float* HWY_RESTRICT to) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* HWY_RESTRICT weights = s.band_weights.data();
  const auto half = hn::Set(d, 0.5f);
  for (int64_t x = 0, group = 0; x < s.width; x += lanes, ++group) {
    const float* HWY_RESTRICT pixel = source + s.band_first[static_cast<size_t>(group)] * kChannels;
    auto r = half;
    auto g = half;
    auto b = half;
    for (int32_t k = s.band_count[static_cast<size_t>(group)]; k > 0; --k) {
      const auto weight = hn::Load(d, weights);
      r = hn::MulAdd(hn::Set(d, pixel[0]), weight, r);
      if constexpr (kChannels == 3) {
        g = hn::MulAdd(hn::Set(d, pixel[1]), weight, g);
        b = hn::MulAdd(hn::Set(d, pixel[2]), weight, b);
      }
      weights += lanes;
      pixel += kChannels;
    }
    hn::Store(to_level(d, r), d, to + x);
    if constexpr (kChannels == 3) {
      hn::Store(to_level(d, g), d, to + s.ring_pitch + x);
      hn::Store(to_level(d, b), d, to + 2 * s.ring_pitch + x);
    }
  }
}

void make_row(Resampler::State& s, int64_t row) {
  float* HWY_RESTRICT to = s.ring.data() + (row & s.ring_mask) * s.channels * s.ring_pitch;
  expand_row(s.pixels + row * s.pitch, s.crop_width * s.channels, s.source.data());
  if (s.channels == 3) {
    filter_across<3>(s, s.source.data(), to);
  } else {
    filter_across<1>(s, s.source.data(), to);
  }
}

// Adds the weighted rows [begin, begin + kCount) of output y's to the sums in `out`, for every channel. The first
// rows begin the sums, the last turn them into levels.
template <int64_t kCount>
HWY_INLINE void add_rows(const Resampler::State& s, int64_t y, int64_t begin, bool first, bool last, const Planes& out,
                         int64_t at) {
  const int64_t top = s.down.first[static_cast<size_t>(y)] + begin;
  const float* weights = s.down.weights.data() + begin * s.down.stride + y;
  const int64_t pitch = s.channels * s.ring_pitch;
  const auto row = [&](int64_t k) { return s.ring.data() + ((top + std::min(k, kCount - 1)) & s.ring_mask) * pitch; };
  const auto weight = [&](int64_t k) { return k < kCount ? weights[k * s.down.stride] : 0.0f; };
  const float *r0 = row(0), *r1 = row(1), *r2 = row(2), *r3 = row(3), *r4 = row(4);
  const float w0 = weight(0), w1 = weight(1), w2 = weight(2), w3 = weight(3), w4 = weight(4);
  for (int64_t c = 0; c < s.channels; ++c) {
    float* HWY_RESTRICT to = out.plane[static_cast<size_t>(c)] + at;
    const int64_t channel = c * s.ring_pitch;
    for_vectors(s.width, [=](auto d, int64_t x) HWY_ATTR {
      const int64_t i = channel + x;
      auto sum = first ? hn::Set(d, 0.5f) : hn::LoadU(d, to + x);
      sum = hn::MulAdd(hn::LoadU(d, r0 + i), hn::Set(d, w0), sum);
      if constexpr (kCount > 1) sum = hn::MulAdd(hn::LoadU(d, r1 + i), hn::Set(d, w1), sum);
      if constexpr (kCount > 2) sum = hn::MulAdd(hn::LoadU(d, r2 + i), hn::Set(d, w2), sum);
      if constexpr (kCount > 3) sum = hn::MulAdd(hn::LoadU(d, r3 + i), hn::Set(d, w3), sum);
      if constexpr (kCount > 4) sum = hn::MulAdd(hn::LoadU(d, r4 + i), hn::Set(d, w4), sum);
      hn::StoreU(last ? to_level(d, sum) : sum, d, to + x);
    });
  }
}

HWY_INLINE void filter_down(const Resampler::State& s, int64_t y, const Planes& out, int64_t at) {
  const int64_t count = s.down.count[static_cast<size_t>(y)];
  if (count == 4) return add_rows<4>(s, y, 0, true, true, out, at);
  for (int64_t begin = 0; begin < count; begin += 5) {
    const bool first = begin == 0;
    const bool last = begin + 5 >= count;
    switch (std::min<int64_t>(count - begin, 5)) {
      case 1:
        add_rows<1>(s, y, begin, first, last, out, at);
        break;
      case 2:
        add_rows<2>(s, y, begin, first, last, out, at);
        break;
      case 3:
        add_rows<3>(s, y, begin, first, last, out, at);
        break;
      case 4:
        add_rows<4>(s, y, begin, first, last, out, at);
        break;
      default:
        add_rows<5>(s, y, begin, first, last, out, at);
        break;
    }
  }
}

void resample_rows(Resampler::State& s, int64_t begin, int64_t end, const Planes& out) {
  for (int64_t y = begin; y < end; ++y) {
    const auto output = static_cast<size_t>(y);
    const int64_t needed = s.down.first[output] + s.down.count[output];
    // Rows above those that a centre crop needs are passed over.
    for (s.made = std::max<int64_t>(s.made, s.down.first[output]); s.made < needed; ++s.made) make_row(s, s.made);
    filter_down(s, y, out, (y - begin) * s.width);
  }
}

void copy_rows(const Resampler::State& s, int64_t begin, int64_t end, const Planes& out) {
  const D d;
  const hn::Rebind<uint8_t, D> d8;
  const hn::RebindToSigned<D> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t y = begin; y < end; ++y) {
    const uint8_t* HWY_RESTRICT from = s.pixels + y * s.pitch;
    const int64_t at = (y - begin) * s.width;
    if (s.channels == 1 && !s.flip) {
      expand_row(from, s.width, out.plane[0] + at);
      continue;
    }
    int64_t x = 0;
    if (s.channels == 3 && !s.flip) {
      for (; x + lanes <= s.width; x += lanes) {
        hn::Vec<decltype(d8)> r, g, b;
        hn::LoadInterleaved3(d8, from + 3 * x, r, g, b);
        hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(di, r)), d, out.plane[0] + at + x);
        hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(di, g)), d, out.plane[1] + at + x);
        hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(di, b)), d, out.plane[2] + at + x);
      }
    }
    for (; x < s.width; ++x) {
      const int64_t source = s.flip ? s.width - 1 - x : x;
      for (int64_t c = 0; c < s.channels; ++c) {
        out.plane[static_cast<size_t>(c)][at + x] = static_cast<float>(from[source * s.channels + c]);
      }
    }
  }
}

}  // namespace orthant::views::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::views {

HWY_EXPORT(plan_weights);
HWY_EXPORT(plan_bands);
HWY_EXPORT(resample_rows);
HWY_EXPORT(copy_rows);

namespace {

// A multiple of every vector length there is, in floats.
constexpr int64_t kPad = 64;

int64_t padded(int64_t size) { return (size + kPad - 1) / kPad * kPad; }

bool unchanged(const CropAxis& axis, int64_t outputs) {
  return axis.offset == 0 && axis.length == axis.resized && axis.resized == outputs;
}

}  // namespace

void plan_taps(const CropAxis& axis, int64_t outputs, Taps& taps) {
  const double scale = static_cast<double>(axis.length) / static_cast<double>(axis.resized);
  const double stretch = std::max(scale, 1.0);
  const double support = 2.0 * stretch;
  taps.outputs = outputs;
  taps.stride = padded(outputs);
  const auto length = static_cast<size_t>(taps.stride);
  taps.first.resize(length);
  taps.count.resize(length);
  taps.most = 0;
  const auto last = static_cast<int32_t>(axis.length);
  // One row more than weights, for the distance from each output's centre to its first input.
  const auto most = static_cast<int64_t>(2 * support) + 1;
  float* distance = taps.weights.grow((most + 1) * taps.stride) + most * taps.stride;
  for (size_t i = 0; i < static_cast<size_t>(outputs); ++i) {
    const double centre = (static_cast<double>(axis.offset) + static_cast<double>(i) + 0.5) * scale;
    const int32_t low = std::max(static_cast<int32_t>(centre - support + 0.5), 0);
    const int32_t high = std::min(static_cast<int32_t>(centre + support + 0.5), last);
    taps.first[i] = low;
    taps.count[i] = high - low;
    taps.most = std::max<int64_t>(taps.most, high - low);
    distance[i] = static_cast<float>(low - centre + 0.5);
  }
  for (auto i = static_cast<size_t>(outputs); i < length; ++i) {
    taps.count[i] = 1;
    distance[i] = 0;
  }
  HWY_DYNAMIC_DISPATCH(plan_weights)(taps, distance, static_cast<float>(1.0 / stretch));
}

void Resampler::begin(const Image& image, const CropAxis& rows, const CropAxis& columns, int64_t height, int64_t width,
                      bool flip) {
  State& s = state_;
  s.channels = image.channels;
  s.pitch = image.width * image.channels;
  s.pixels = image.pixels.data() + rows.begin * s.pitch + columns.begin * image.channels;
  s.crop_width = columns.length;
  s.width = width;
  s.flip = flip;
  s.made = 0;
  s.same_size = unchanged(rows, height) && unchanged(columns, width);
  if (s.same_size) return;
  plan_taps(rows, height, s.down);
  plan_taps(columns, width, s.across);
  HWY_DYNAMIC_DISPATCH(plan_bands)(s);
  s.ring_pitch = padded(width);
  const auto ring_rows = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(s.down.most)));
  s.ring_mask = ring_rows - 1;
  s.ring.grow(ring_rows * s.channels * s.ring_pitch);
  s.source.grow(s.crop_width * s.channels);
}

void Resampler::rows(int64_t begin, int64_t end, Planes out) {
  if (state_.same_size) {
    HWY_DYNAMIC_DISPATCH(copy_rows)(state_, begin, end, out);
  } else {
    HWY_DYNAMIC_DISPATCH(resample_rows)(state_, begin, end, out);
  }
}

}  // namespace orthant::views
#endif
