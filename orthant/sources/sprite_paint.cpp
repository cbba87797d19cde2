#include "orthant/sources/sprite_paint.h"

#include <algorithm>
#include <cmath>

namespace orthant {
namespace {

constexpr int kSide = static_cast<int>(kSpriteSide);
constexpr int kPixels = kSide * kSide;
using Tones = std::array<float, kPixels>;

uint64_t splitmix(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// x modulo 1; through int because that is one instruction on every CPU, so x stays above -64.
float fraction(float x) {
  const float shifted = x + 64;
  return shifted - static_cast<float>(static_cast<int>(shifted));
}

// std::clamp by value, which compilers turn into two vector instructions.
float limit(float x, float low, float high) {
  x = x < high ? x : high;
  return x > low ? x : low;
}

float ramp(float x) { return limit(x, 0, 1); }

// A square wave from 0 to 1 whose flanks are one pixel wide.
float wave(float x, float period) { return ramp(0.5F + (std::abs(fraction(x / period) - 0.5F) - 0.25F) * period); }

template <class Tone>
void for_each_point(Point centre, double angle, Tones& tones, Tone&& tone) {
  const auto cosine = static_cast<float>(std::cos(angle));
  const auto sine = static_cast<float>(std::sin(angle));
  for (int y = 0; y < kSide; ++y) {
    const float dy = static_cast<float>(y) + 0.5F - static_cast<float>(centre.y);
    for (int x = 0; x < kSide; ++x) {
      const float dx = static_cast<float>(x) + 0.5F - static_cast<float>(centre.x);
      tones[static_cast<size_t>(y * kSide + x)] = tone(cosine * dx - sine * dy, sine * dx + cosine * dy);
    }
  }
}

// Value noise: random heights on a lattice, blended smoothly in between.
void clouds(double lump, uint64_t grain, Tones& tones) {
  constexpr int kLattice = 12;
  std::array<float, kLattice * kLattice> heights;
  for (float& height : heights) height = static_cast<float>(splitmix(grain) >> 40) * 0x1.0p-24F;
  const float step = 1 / std::max(static_cast<float>(lump), 3.0F);
  for (int y = 0; y < kSide; ++y) {
    const float v = static_cast<float>(y) * step;
    const int row = static_cast<int>(v);
    const float down = v - static_cast<float>(row);
    const float smooth_down = down * down * (3 - 2 * down);
    for (int x = 0; x < kSide; ++x) {
      const float u = static_cast<float>(x) * step;
      const int column = static_cast<int>(u);
      const float across = u - static_cast<float>(column);
      const float smooth_across = across * across * (3 - 2 * across);
      const float* cell = heights.data() + row * kLattice + column;
      const float upper = cell[0] + (cell[1] - cell[0]) * smooth_across;
      const float lower = cell[kLattice] + (cell[kLattice + 1] - cell[kLattice]) * smooth_across;
      tones[static_cast<size_t>(y * kSide + x)] = upper + (lower - upper) * smooth_down;
    }
  }
}

void draw_pattern(const Surface& surface, Point centre, uint64_t grain, Tones& tones) {
  const auto period = static_cast<float>(surface.period);
  switch (surface.pattern) {
    case Pattern::kPlain:
      tones.fill(0);
      break;
    case Pattern::kGradient:
      for_each_point(centre, surface.angle, tones, [=](float, float v) { return ramp(0.5F + v / period); });
      break;
    case Pattern::kStripes:
      for_each_point(centre, surface.angle, tones, [=](float, float v) { return wave(v, period); });
      break;
    case Pattern::kChecks:
      for_each_point(centre, surface.angle, tones,
                     [=](float u, float v) { return 0.5F + 2 * (wave(u, period) - 0.5F) * (wave(v, period) - 0.5F); });
      break;
    case Pattern::kDots:
      for_each_point(centre, surface.angle, tones, [=](float u, float v) {
        const float du = (fraction(u / period) - 0.5F) * period;
        const float dv = (fraction(v / period) - 0.5F) * period;
        return ramp(0.5F + 0.32F * period - std::sqrt(du * du + dv * dv));
      });
      break;
    case Pattern::kClouds:
      clouds(surface.period, grain, tones);
      break;
  }
}

// Adds grain of the given standard deviation to the planes: the sum of two random bytes, a triangular distribution.
void add_noise(float deviation, uint64_t state, std::array<Tones, 3>& planes) {
  constexpr float kDeviationOfTwoBytes = 104.5F;
  const float scale = deviation / kDeviationOfTwoBytes;
  for (size_t i = 0; i < kPixels; ++i) {
    uint64_t bits = splitmix(state);
    for (Tones& plane : planes) {
      const auto sum = static_cast<int>(bits & 255) + static_cast<int>((bits >> 8) & 255);
      plane[i] += scale * static_cast<float>(sum - 255);
      bits >>= 16;
    }
  }
}

}  // namespace

Image paint(const SpriteScene& scene) {
  Tones coverage, figure, ground;
  cover(*scene.outline, scene.placement, kSide, kSide, coverage);
  draw_pattern(scene.figure, {scene.placement.x, scene.placement.y}, scene.grain, figure);
  draw_pattern(scene.ground, {kSide / 2.0, kSide / 2.0}, scene.grain, ground);

  std::array<Tones, 3> planes;
  for (size_t c = 0; c < 3; ++c) {
    const float front_colour = scene.figure.colour[c];
    const float front_change = scene.figure.accent[c] - front_colour;
    const float back_colour = scene.ground.colour[c];
    const float back_change = scene.ground.accent[c] - back_colour;
    for (size_t i = 0; i < kPixels; ++i) {
      const float front = front_colour + front_change * figure[i];
      const float back = back_colour + back_change * ground[i];
      planes[c][i] = back + (front - back) * coverage[i];
    }
  }
  if (scene.noise > 0) add_noise(static_cast<float>(scene.noise), ~scene.grain, planes);

  Image image(kSide, kSide, 3);
  uint8_t* pixel = image.pixels.data();
  for (size_t i = 0; i < kPixels; ++i) {
    for (const Tones& plane : planes) *pixel++ = static_cast<uint8_t>(limit(plane[i], 0, 255) + 0.5F);  // NOLINT
  }
  return image;
}

Image paint_mask(const SpriteScene& scene) {
  Tones coverage;
  cover(*scene.outline, scene.placement, kSide, kSide, coverage);
  Image image(kSide, kSide, 1);
  for (size_t i = 0; i < kPixels; ++i) image.pixels[i] = static_cast<uint8_t>(limit(coverage[i], 0, 1) * 255 + 0.5F);
  return image;
}

}  // namespace orthant
