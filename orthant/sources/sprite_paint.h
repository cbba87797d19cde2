#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "orthant/core/image.h"
#include "orthant/sources/outline.h"

namespace orthant {

// How two colours share a surface.
enum class Pattern { kPlain, kGradient, kStripes, kChecks, kDots, kClouds };

using Rgb = std::array<float, 3>;  // 0 to 255

// A surface in two colours: `pattern` decides how much of `accent` each point has. The pattern is rotated by `angle`
// in radians and repeats every `period` pixels; a gradient runs over that length instead, and clouds are lumps of
// about that size.
struct Surface {
  Pattern pattern = Pattern::kPlain;
  Rgb colour{};
  Rgb accent{};
  double angle = 0;
  double period = 6;
};

// Everything that decides one picture of the built-in data set.
struct SpriteScene {
  const Outline* outline = nullptr;
  Placement placement = {};
  Surface figure = {};  // its pattern is centred on the figure
  Surface ground = {};  // its pattern is centred on the picture
  double noise = 0;     // standard deviation, in steps of 255
  uint64_t grain = 0;   // where noise and clouds come from
};

inline constexpr int64_t kSpriteSide = 32;

// Paints the scene: kSpriteSide squared pixels, RGB. Safe from several threads.
Image paint(const SpriteScene& scene);

// How much of each pixel the figure covers: grey, 255 for all of it.
Image paint_mask(const SpriteScene& scene);

}  // namespace orthant
