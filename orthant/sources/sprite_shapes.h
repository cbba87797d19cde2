#pragma once

#include <span>
#include <string>

#include "orthant/sources/outline.h"

namespace orthant {

// One of the figures of the built-in data set, drawn to be named at a glance at 32x32 pixels. The outline is centred
// on the origin and has about the size of the unit disc.
struct SpriteShape {
  std::string name;
  Outline outline;
};

// All of them, in the order of their labels. Made at the first call, never changed.
std::span<const SpriteShape> sprite_shapes();

}  // namespace orthant
