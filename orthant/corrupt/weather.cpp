#include "orthant/corrupt/weather.h"

#include <array>
#include <cmath>

#include "orthant/corrupt/filter.h"
#include "orthant/corrupt/pattern.h"
#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

struct Snow {
  double mean, sigma, zoom, threshold, radius, blur, mix;
};
struct Frost {
  float picture, ice;
};
struct Fog {
  double amount, decay;
};
struct Spatter {
  double share;  // of the picture that is covered
  double drop;   // size of the drops in pixels
  double opacity;
  bool mud;  // else water
};
using Colour = std::array<float, 3>;

constexpr Severities<Snow> kSnow = {{{0.1, 0.2, 1, 0.6, 8, 3, 0.95},
                                     {0.1, 0.2, 1, 0.5, 10, 4, 0.9},
                                     {0.15, 0.3, 1.75, 0.55, 10, 4, 0.9},
                                     {0.25, 0.3, 2.25, 0.6, 12, 6, 0.85},
                                     {0.3, 0.3, 1.25, 0.65, 14, 12, 0.8}}};
constexpr Severities<Frost> kFrost = {{{1, 0.2F}, {1, 0.3F}, {0.9F, 0.4F}, {0.85F, 0.4F}, {0.75F, 0.45F}}};
constexpr Severities<Fog> kFog = {{{0.2, 3}, {0.5, 3}, {0.75, 2.5}, {1, 2}, {1.5, 1.75}}};
constexpr Severities<Spatter> kSpatter = {{{0.08, 1, 0.5, false},
                                           {0.14, 1, 0.6, false},
                                           {0.22, 1.2, 0.7, false},
                                           {0.22, 1.2, 0.95, true},
                                           {0.35, 1.4, 0.95, true}}};
constexpr Colour kIce = {0.86F, 0.95F, 1.0F};
constexpr Colour kWater = {175, 225, 238};
constexpr Colour kMud = {63, 42, 20};

// A colour's share in a channel; a grey picture takes its luminance.
float component(const Colour& colour, const Canvas& picture, int64_t c) {
  return picture.channels == 1 ? 0.299F * colour[0] + 0.587F * colour[1] + 0.114F * colour[2]
                               : colour[static_cast<size_t>(c)];
}

Canvas normal_layer(const Canvas& picture, double mean, double sigma, Rng& rng) {
  Canvas layer(picture.height, picture.width, 1);
  for (float& value : layer.values) value = static_cast<float>(mean + sigma * rng.normal());
  return layer;
}

Canvas snow_layer(const Canvas& picture, const Snow& parameters, Rng& rng) {
  const double scale = picture.scale();
  Canvas layer =
      zoom(normal_layer(picture, parameters.mean, parameters.sigma, rng), std::max(1.0, parameters.zoom * scale));
  for (float& value : layer.values) {
    value = value < static_cast<float>(parameters.threshold) ? 0.0F : std::floor(std::min(value, 1.0F) * 255);
  }
  motion(layer, parameters.radius * scale, parameters.blur * scale, rng.uniform(-135, -45));
  for (float& value : layer.values) value = std::floor(value + 0.5F);
  return layer;
}

}  // namespace

void snow(Canvas& picture, int severity, Rng& rng) {
  const Snow& parameters = at(kSnow, severity);
  const Canvas layer = snow_layer(picture, parameters, rng);
  const Canvas grey = luminance(picture);
  const auto mix = static_cast<float>(parameters.mix);
  const size_t last = picture.pixels() - 1;
  for (int64_t c = 0; c < picture.channels; ++c) {
    const auto plane = picture.plane(c);
    for (size_t i = 0; i < plane.size(); ++i) {
      const float bleached = std::max(plane[i], grey.values[i] * 1.5F + 127.5F);
      plane[i] = mix * plane[i] + (1 - mix) * bleached + layer.values[i] + layer.values[last - i];
    }
  }
}

void frost(Canvas& picture, int severity, Rng& rng) {
  const Frost& parameters = at(kFrost, severity);
  const Canvas layer = ice(picture.height, picture.width, picture.scale(), rng);
  for (int64_t c = 0; c < picture.channels; ++c) {
    const float white = 255 * component(kIce, picture, c);
    const auto plane = picture.plane(c);
    for (size_t i = 0; i < plane.size(); ++i) {
      plane[i] = parameters.picture * plane[i] + parameters.ice * white * layer.values[i];
    }
  }
}

void fog(Canvas& picture, int severity, Rng& rng) {
  const Fog& parameters = at(kFog, severity);
  const Canvas layer = plasma(picture.height, picture.width, parameters.decay, rng);
  const auto amount = static_cast<float>(255 * parameters.amount);
  const float brightest = *std::ranges::max_element(picture.values);
  for (int64_t c = 0; c < picture.channels; ++c) {
    const auto plane = picture.plane(c);
    for (size_t i = 0; i < plane.size(); ++i) {
      plane[i] = (plane[i] + amount * layer.values[i]) * brightest / (brightest + amount);
    }
  }
}

void spatter(Canvas& picture, int severity, Rng& rng) {
  const Spatter& parameters = at(kSpatter, severity);
  const double sigma = parameters.drop * picture.scale();
  Canvas liquid = normal_layer(picture, 0, 1, rng);
  gaussian(liquid, sigma, static_cast<int64_t>(4 * sigma + 0.5), Border::nearest);

  // Above `shore` lies the share to be covered; a quarter of the way up to the highest point the liquid is opaque.
  std::vector<float> order = liquid.values;
  const auto dry = static_cast<size_t>((1 - parameters.share) * static_cast<double>(order.size() - 1));
  std::ranges::nth_element(order, order.begin() + static_cast<int64_t>(dry));
  const float shore = order[dry];
  const float depth = std::max((*std::ranges::max_element(liquid.values) - shore) / 4, 1e-6F);

  const Colour& colour = parameters.mud ? kMud : kWater;
  for (int64_t c = 0; c < picture.channels; ++c) {
    const float stain = component(colour, picture, c);
    const auto plane = picture.plane(c);
    for (size_t i = 0; i < plane.size(); ++i) {
      const float cover =
          static_cast<float>(parameters.opacity) * std::clamp((liquid.values[i] - shore) / depth, 0.0F, 1.0F);
      plane[i] += cover * (stain - plane[i]);
    }
  }
}

}  // namespace orthant::corrupt
