#pragma once

#include <cstdint>
#include <optional>

#include "orthant/heat/heat_maps.h"

namespace orthant {

struct WhereOptions {
  std::optional<heat::Method> method = std::nullopt;  // none: additive where the network has it, else occlusion
  bool places = false;         // additive: parts of the last layer's places, not shared out to pixels
  int64_t occlusion_grid = 8;  // cells a side that are covered one by one
  int threads = 0;             // 0: as many as before
};

}  // namespace orthant
