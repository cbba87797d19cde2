#include "orthant/corrupt/colour.h"

#include <numeric>

#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

struct Saturation {
  float factor, offset;
};

constexpr Severities<float> kBrightness = {0.05F, 0.1F, 0.15F, 0.2F, 0.3F};
constexpr Severities<float> kContrast = {0.75F, 0.5F, 0.4F, 0.3F, 0.15F};
constexpr Severities<Saturation> kSaturation = {{{0.3F, 0}, {0.1F, 0}, {1.5F, 0}, {2, 0.1F}, {2.5F, 0.2F}}};

}  // namespace

// V of HSV is the largest channel; with hue and saturation kept, all channels grow with it in proportion.
void brightness(Canvas& picture, int severity, Rng&) {
  const float added = 255 * at(kBrightness, severity);
  for (size_t i = 0; i < picture.pixels(); ++i) {
    float value = 0;
    for (int64_t c = 0; c < picture.channels; ++c) value = std::max(value, picture.plane(c)[i]);
    const float brighter = std::min(value + added, 255.0F);
    for (int64_t c = 0; c < picture.channels; ++c) {
      float& level = picture.plane(c)[i];
      level = value > 0 ? level * brighter / value : brighter;
    }
  }
}

void contrast(Canvas& picture, int severity, Rng&) {
  const float factor = at(kContrast, severity);
  for (int64_t c = 0; c < picture.channels; ++c) {
    const auto plane = picture.plane(c);
    const double sum = std::accumulate(plane.begin(), plane.end(), 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(plane.size()));
    for (float& level : plane) level = mean + factor * (level - mean);
  }
}

// With hue and V kept, a channel's distance from V is in proportion to S. The hue of grey is red, as everywhere.
void saturate(Canvas& picture, int severity, Rng&) {
  if (picture.channels == 1) return;
  const Saturation& parameters = at(kSaturation, severity);
  const auto r = picture.plane(0);
  const auto g = picture.plane(1);
  const auto b = picture.plane(2);
  for (size_t i = 0; i < r.size(); ++i) {
    const float value = std::max({r[i], g[i], b[i]});
    const float least = std::min({r[i], g[i], b[i]});
    const float old = value > 0 ? (value - least) / value : 0.0F;
    const float wanted = std::clamp(old * parameters.factor + parameters.offset, 0.0F, 1.0F);
    if (old > 0) {
      const float ratio = wanted / old;
      for (const auto& plane : {r, g, b}) plane[i] = value - (value - plane[i]) * ratio;
    } else {
      g[i] = b[i] = value * (1 - wanted);
    }
  }
}

}  // namespace orthant::corrupt
