#pragma once

#include <array>
#include <cstdint>

namespace orthant::views {

// A piece of a picture while it is worked on: `channels` (1 or 3) planes of `pixels` float32 each, whose values are
// whole levels from 0 to 255. Borrowed; the planes need no alignment and must not overlap.
//
// Every operation on planes gives whole levels again and rounds as Pillow does, so that all sums are exact in float32
// and a result is the same whatever the width of the CPU's vectors.
struct Planes {
  std::array<float*, 3> plane{};
  int64_t channels = 0;
  int64_t pixels = 0;

  // The same planes from pixel `begin` on.
  Planes part(int64_t begin, int64_t count) const {
    return {{plane[0] + begin, channels == 3 ? plane[1] + begin : nullptr, channels == 3 ? plane[2] + begin : nullptr},
            channels,
            count};
  }
};

// Contiguous planes [channels, pixels] at `data`.
inline Planes planes_at(float* data, int64_t channels, int64_t pixels) {
  return {
      {data, channels == 3 ? data + pixels : nullptr, channels == 3 ? data + 2 * pixels : nullptr}, channels, pixels};
}

}  // namespace orthant::views
