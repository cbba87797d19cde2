#include "orthant/views/colour.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/views/colour.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "orthant/views/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::views::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Pillow's blend of two levels: cut off to a whole level.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V blend(D d, V from, V to, V factor) {
  const V mixed = hn::Add(from, hn::Mul(factor, hn::Sub(to, from)));
  return hn::Floor(hn::Min(hn::Max(mixed, hn::Zero(d)), hn::Set(d, 255.0f)));
}

// (19595 R + 38470 G + 7471 B + 32768) >> 16: every partial sum fits the 24 bits of a float32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V grey_level(D d, V r, V g, V b) {
  V sum = hn::MulAdd(r, hn::Set(d, 19595.0f / 65536.0f), hn::Set(d, 0.5f));
  sum = hn::MulAdd(g, hn::Set(d, 38470.0f / 65536.0f), sum);
  return hn::Floor(hn::MulAdd(b, hn::Set(d, 7471.0f / 65536.0f), sum));
}

void brightness(Planes p, float factor) {
  for (int64_t c = 0; c < p.channels; ++c) {
    float* HWY_RESTRICT x = p.plane[static_cast<size_t>(c)];
    for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
      const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor));
      hn::StoreU(hn::Floor(hn::Min(scaled, hn::Set(d, 255.0f))), d, x + i);
    });
  }
}

template <class D>
HWY_INLINE hn::Vec<D> grey_at(D d, const Planes& p, int64_t i) {
  const auto red = hn::LoadU(d, p.plane[0] + i);
  if (p.channels == 1) return red;
  return grey_level(d, red, hn::LoadU(d, p.plane[1] + i), hn::LoadU(d, p.plane[2] + i));
}

int64_t grey_sum(Planes p) {
  // Blocks so small that their sum stays below 2^24.
  constexpr int64_t kBlock = 16384;
  int64_t total = 0;
  for (int64_t begin = 0; begin < p.pixels; begin += kBlock) {
    const int64_t count = std::min(kBlock, p.pixels - begin);
    const hn::ScalableTag<float> d;
    const hn::CappedTag<float, 1> d1;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    auto sums = hn::Zero(d);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) sums = hn::Add(sums, grey_at(d, p, begin + i));
    float tail = 0;
    for (; i < count; ++i) tail += hn::GetLane(grey_at(d1, p, begin + i));
    total += static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(d, sums)) + tail);
  }
  return total;
}

void contrast(Planes p, float factor, float level) {
  for (int64_t c = 0; c < p.channels; ++c) {
    float* HWY_RESTRICT x = p.plane[static_cast<size_t>(c)];
    for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
      hn::StoreU(blend(d, hn::Set(d, level), hn::LoadU(d, x + i), hn::Set(d, factor)), d, x + i);
    });
  }
}

void saturation(Planes p, float factor) {
  float* HWY_RESTRICT r = p.plane[0];
  float* HWY_RESTRICT g = p.plane[1];
  float* HWY_RESTRICT b = p.plane[2];
  for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
    const auto red = hn::LoadU(d, r + i);
    const auto green = hn::LoadU(d, g + i);
    const auto blue = hn::LoadU(d, b + i);
    const auto grey = grey_level(d, red, green, blue);
    const auto f = hn::Set(d, factor);
    hn::StoreU(blend(d, grey, red, f), d, r + i);
    hn::StoreU(blend(d, grey, green, f), d, g + i);
    hn::StoreU(blend(d, grey, blue, f), d, b + i);
  });
}

// One channel of HSV to RGB: v - v s max(0, min(k, 4 - k, 1)) with k = (n + 6 h) mod 6 and n = 5, 3, 1 for R, G, B;
// `turned` is n + 6 h, `chroma` is v s.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V hue_channel(D d, V turned, V value, V chroma) {
  const V six = hn::Set(d, 6.0f);
  const V k = hn::Sub(turned, hn::IfThenElseZero(hn::Ge(turned, six), six));
  const V ramp = hn::Min(hn::Min(k, hn::Sub(hn::Set(d, 4.0f), k)), hn::Set(d, 1.0f));
  return hn::Round(hn::Sub(value, hn::Mul(chroma, hn::Max(ramp, hn::Zero(d)))));
}

void hue(Planes p, float shift) {
  float* HWY_RESTRICT r = p.plane[0];
  float* HWY_RESTRICT g = p.plane[1];
  float* HWY_RESTRICT b = p.plane[2];
  for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
    const auto red = hn::LoadU(d, r + i);
    const auto green = hn::LoadU(d, g + i);
    const auto blue = hn::LoadU(d, b + i);
    const auto one = hn::Set(d, 1.0f);
    const auto value = hn::Max(red, hn::Max(green, blue));
    const auto range = hn::Sub(value, hn::Min(red, hn::Min(green, blue)));
    // Levels are whole: where the range is 0 the saturation is too, and any divisor will do.
    const auto saturation = hn::Floor(hn::Mul(hn::Div(range, hn::Max(value, one)), hn::Set(d, 255.0f)));

    const auto is_red = hn::Eq(red, value);
    const auto is_green = hn::Eq(green, value);
    const auto rise =
        hn::IfThenElse(is_red, hn::Sub(green, blue), hn::IfThenElse(is_green, hn::Sub(blue, red), hn::Sub(red, green)));
    const auto base = hn::IfThenElse(is_red, hn::Zero(d), hn::IfThenElse(is_green, hn::Set(d, 2.0f), hn::Set(d, 4.0f)));
    auto sixths = hn::Add(base, hn::Div(rise, hn::Max(range, one)));
    sixths = hn::Add(sixths, hn::IfThenElseZero(hn::Lt(sixths, hn::Zero(d)), hn::Set(d, 6.0f)));
    const auto wrap = hn::Set(d, 256.0f);
    auto hue = hn::Add(hn::Floor(hn::Mul(sixths, hn::Set(d, 42.5f))), hn::Set(d, shift));
    hue = hn::Sub(hue, hn::IfThenElseZero(hn::Ge(hue, wrap), wrap));

    const auto turned = hn::Mul(hue, hn::Set(d, 6.0f / 255.0f));
    const auto chroma = hn::Mul(value, hn::Mul(saturation, hn::Set(d, 1.0f / 255.0f)));
    hn::StoreU(hue_channel(d, hn::Add(turned, hn::Set(d, 5.0f)), value, chroma), d, r + i);
    hn::StoreU(hue_channel(d, hn::Add(turned, hn::Set(d, 3.0f)), value, chroma), d, g + i);
    hn::StoreU(hue_channel(d, hn::Add(turned, one), value, chroma), d, b + i);
  });
}

void to_grey(Planes p) {
  float* HWY_RESTRICT r = p.plane[0];
  const float* HWY_RESTRICT g = p.plane[1];
  const float* HWY_RESTRICT b = p.plane[2];
  for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
    hn::StoreU(grey_level(d, hn::LoadU(d, r + i), hn::LoadU(d, g + i), hn::LoadU(d, b + i)), d, r + i);
  });
}

void solarise(Planes p, float threshold) {
  for (int64_t c = 0; c < p.channels; ++c) {
    float* HWY_RESTRICT x = p.plane[static_cast<size_t>(c)];
    for_vectors(p.pixels, [=](auto d, int64_t i) HWY_ATTR {
      const auto level = hn::LoadU(d, x + i);
      const auto inverse = hn::Sub(hn::Set(d, 255.0f), level);
      hn::StoreU(hn::IfThenElse(hn::Ge(level, hn::Set(d, threshold)), inverse, level), d, x + i);
    });
  }
}

}  // namespace orthant::views::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::views {

HWY_EXPORT(brightness);
HWY_EXPORT(grey_sum);
HWY_EXPORT(contrast);
HWY_EXPORT(saturation);
HWY_EXPORT(hue);
HWY_EXPORT(to_grey);
HWY_EXPORT(solarise);

void adjust_brightness(Planes planes, float factor) { HWY_DYNAMIC_DISPATCH(brightness)(planes, factor); }

int64_t grey_sum(Planes planes) { return HWY_DYNAMIC_DISPATCH(grey_sum)(planes); }

float contrast_level(int64_t sum, int64_t pixels) {
  return std::floor(static_cast<float>(static_cast<double>(sum) / static_cast<double>(pixels) + 0.5));
}

void adjust_contrast(Planes planes, float factor, float level) {
  HWY_DYNAMIC_DISPATCH(contrast)(planes, factor, level);
}

void adjust_saturation(Planes planes, float factor) {
  if (planes.channels == 3) HWY_DYNAMIC_DISPATCH(saturation)(planes, factor);
}

void rotate_hue(Planes planes, double turns) {
  if (planes.channels != 3) return;
  // As the 8-bit addition that it stands for: cut off towards 0, then modulo 256.
  const int shift = static_cast<int>(turns * 255.0) & 255;
  HWY_DYNAMIC_DISPATCH(hue)(planes, static_cast<float>(shift));
}

void to_grey(Planes planes) {
  if (planes.channels == 3) HWY_DYNAMIC_DISPATCH(to_grey)(planes);
}

void solarise(Planes planes, float threshold) { HWY_DYNAMIC_DISPATCH(solarise)(planes, threshold); }

}  // namespace orthant::views
#endif
