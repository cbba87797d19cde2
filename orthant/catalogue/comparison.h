#pragma once

#include <cstdint>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::catalogue {

struct FeaturePair {
  int64_t a = 0;
  int64_t b = 0;
  double similarity = 0;  // |cosine| of the two columns
};

// Which features of two runs are the same: the one-to-one matching of the live ones with the largest sum of
// similarities (measure/stability.h).
struct Comparison {
  std::vector<FeaturePair> pairs;  // largest similarity first, then lower a
  double mean = 0;                 // stability.mean: features that only one run has count as 0
};

// Takes seconds for a thousand features: keep the result. std::invalid_argument if the items are not as many.
Comparison compare(const Catalogue& a, const Catalogue& b, int threads = 0);

}  // namespace orthant::catalogue
