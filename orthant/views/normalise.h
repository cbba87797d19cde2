#pragma once

#include <array>

#include "orthant/views/planes.h"

namespace orthant::views {

// x * scale + shift per channel: with scale = 1 / (255 std) and shift = -mean / std the levels become (x/255 -
// mean)/std.
struct Normalisation {
  std::array<float, 3> scale{};
  std::array<float, 3> shift{};
};

Normalisation normalisation(const std::array<double, 3>& mean, const std::array<double, 3>& std);

// Writes out[c] = from[c] * scale[c] + shift[c]. `from` may be `out` itself. Where `from` has one channel and `out`
// has three, the one is repeated; its plane may then be the first of `out`.
void normalise(Planes from, const Normalisation& how, Planes out);

}  // namespace orthant::views
