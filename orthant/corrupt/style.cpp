#include "orthant/corrupt/style.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "orthant/corrupt/filter.h"
#include "orthant/corrupt/pattern.h"
#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

struct Style {
  double radius;  // of the areas that are painted flat
  float palette;  // share of the palette's colours
  float strokes;  // amplitude in levels
};

constexpr Severities<Style> kStyle = {
    {{1, 0.3F, 14}, {1.4F, 0.45F, 22}, {2, 0.6F, 30}, {2.4F, 0.75F, 40}, {3, 0.9F, 52}}};

using Colour = std::array<float, 3>;

// Sums over rectangles of a plane, by its integral.
class AreaSums {
 public:
  template <class Value>
  AreaSums(int64_t height, int64_t width, const Value& value)
      : pitch_(width + 1), sums_(static_cast<size_t>((height + 1) * (width + 1))) {
    for (int64_t y = 0; y < height; ++y) {
      double row = 0;
      for (int64_t x = 0; x < width; ++x) {
        row += value(static_cast<size_t>(y * width + x));
        at(y + 1, x + 1) = at(y, x + 1) + row;
      }
    }
  }

  // Of rows [top, bottom) and columns [left, right).
  double operator()(int64_t top, int64_t left, int64_t bottom, int64_t right) const {
    return at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left);
  }

 private:
  double& at(int64_t y, int64_t x) { return sums_[static_cast<size_t>(y * pitch_ + x)]; }
  double at(int64_t y, int64_t x) const { return sums_[static_cast<size_t>(y * pitch_ + x)]; }

  int64_t pitch_;
  std::vector<double> sums_;
};

// Kuwahara's filter: of the four squares that have a pixel in a corner, the mean of the most uniform one. Smooths
// everything but edges.
void flatten(Canvas& picture, int64_t radius) {
  const int64_t height = picture.height;
  const int64_t width = picture.width;
  const Canvas grey = luminance(picture);
  const AreaSums first(height, width, [&](size_t i) { return static_cast<double>(grey.values[i]); });
  const AreaSums second(height, width, [&](size_t i) { return static_cast<double>(grey.values[i] * grey.values[i]); });
  std::vector<AreaSums> levels;
  for (int64_t c = 0; c < picture.channels; ++c) {
    levels.emplace_back(height, width, [plane = picture.plane(c)](size_t i) { return static_cast<double>(plane[i]); });
  }
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      double least = std::numeric_limits<double>::infinity();
      for (int corner = 0; corner < 4; ++corner) {
        const int64_t top = corner < 2 ? std::max<int64_t>(0, y - radius) : y;
        const int64_t bottom = corner < 2 ? y + 1 : std::min(height, y + radius + 1);
        const int64_t left = corner % 2 == 0 ? std::max<int64_t>(0, x - radius) : x;
        const int64_t right = corner % 2 == 0 ? x + 1 : std::min(width, x + radius + 1);
        const auto area = static_cast<double>((bottom - top) * (right - left));
        const double mean = first(top, left, bottom, right) / area;
        // At the edge a square may shrink to a pixel, which is uniform but says nothing.
        const double variance = second(top, left, bottom, right) / area - mean * mean + 1000 / area;
        if (variance >= least) continue;
        least = variance;
        for (int64_t c = 0; c < picture.channels; ++c) {
          picture.row(c, y)[x] = static_cast<float>(levels[static_cast<size_t>(c)](top, left, bottom, right) / area);
        }
      }
    }
  }
}

Colour from_hue(double hue, double saturation, double value) {
  Colour colour;
  for (size_t c = 0; c < 3; ++c) {
    const double k = std::fmod(6 * hue + 5 - 2 * static_cast<double>(c), 6.0);
    const double share = std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    colour[c] = static_cast<float>(255 * value * (1 - saturation * share));
  }
  return colour;
}

// Dark to light, so that what is light stays light: only the hues are random.
std::array<Colour, 4> random_palette(Rng& rng) {
  std::array<Colour, 4> palette;
  for (size_t k = 0; k < palette.size(); ++k) {
    palette[k] = from_hue(rng.uniform(), rng.uniform(0.35, 0.9), 0.15 + 0.28 * static_cast<double>(k));
  }
  return palette;
}

float pick(const std::array<Colour, 4>& palette, float grey, int64_t c, int64_t channels) {
  const float at = std::clamp(grey, 0.0F, 255.0F) / 255 * 3;
  const auto low = std::min<size_t>(static_cast<size_t>(at), 2);
  const auto mixed = [&](size_t k) {
    return palette[low][k] + (at - static_cast<float>(low)) * (palette[low + 1][k] - palette[low][k]);
  };
  return channels == 1 ? 0.299F * mixed(0) + 0.587F * mixed(1) + 0.114F * mixed(2) : mixed(static_cast<size_t>(c));
}

// Strokes [1, height, width] from -1 to 1 along a direction that bends slowly over the picture.
Canvas strokes(const Canvas& picture, Rng& rng) {
  const int64_t height = picture.height;
  const int64_t width = picture.width;
  const double scale = std::max(picture.scale(), 1.0 / 32);
  const double turn = rng.uniform(0, std::numbers::pi);
  const double spacing = rng.uniform(2.2, 4.5) * scale;
  const double length = 7 * scale;
  const double bend = rng.uniform(2, 5) * scale;
  const Canvas wander = value_noise(height, width, std::max(1.0, 10 * scale), std::max(1.0, 10 * scale), rng);
  const double reach = static_cast<double>(height + width);
  const Canvas grain = value_noise(static_cast<int64_t>(2 * reach / length) + 2,
                                   static_cast<int64_t>(2 * reach / spacing * 2) + 2, 1, 1, rng);
  Canvas layer(height, width, 1);
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const double shift = bend * static_cast<double>(wander.row(0, y)[x]);
      const double along = static_cast<double>(x) * std::cos(turn) + static_cast<double>(y) * std::sin(turn);
      const double beside = static_cast<double>(y) * std::cos(turn) - static_cast<double>(x) * std::sin(turn) + shift;
      layer.row(0, y)[x] = 2 * sample(grain.plane(0), grain.height, grain.width, (along + reach) / length,
                                      2 * (beside + reach) / spacing, Border::mirror) -
                           1;
    }
  }
  return layer;
}

}  // namespace

void stylised(Canvas& picture, int severity, Rng& rng) {
  const Style& parameters = at(kStyle, severity);
  flatten(picture, std::max<int64_t>(1, std::llround(parameters.radius * picture.scale())));
  const Canvas grey = luminance(picture);
  const std::array<Colour, 4> palette = random_palette(rng);
  const Canvas brush = strokes(picture, rng);
  for (int64_t c = 0; c < picture.channels; ++c) {
    const auto plane = picture.plane(c);
    for (size_t i = 0; i < plane.size(); ++i) {
      const float painted = pick(palette, grey.values[i], c, picture.channels);
      plane[i] += parameters.palette * (painted - plane[i]) + parameters.strokes * brush.values[i];
    }
  }
}

}  // namespace orthant::corrupt
