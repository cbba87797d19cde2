#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::report {

// How one feature differs between some items and all others.
struct FeatureContrast {
  int64_t firing = 0;         // chosen items where its magnitude is above 1e-5
  int64_t firing_others = 0;  // the same of the others
  double mean = 0;            // over the chosen items; 0 if there are none, likewise mean_others
  double mean_others = 0;
  double deviation = 0;  // standard deviation over all items
};

struct Contrast {
  int64_t items = 0;                      // chosen
  int64_t others = 0;                     // not chosen
  std::vector<FeatureContrast> features;  // [D]
};

// Features [N, D] of the items where chosen [N] is true beside those of the others. Sums are taken in double, row by
// row. std::invalid_argument if there are not as many flags as rows.
Contrast contrast(const Features& features, const std::vector<bool>& chosen);

}  // namespace orthant::report
