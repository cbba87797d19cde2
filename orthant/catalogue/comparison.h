#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::catalogue {

struct FeaturePair {
  int64_t a = 0;
  int64_t b = 0;
  double cosine = 0;  // of the two columns; negative: one is high where the other is low
};

// Which features of two runs are the same: the one-to-one matching of the live ones with the largest sum of
// |cosine| (measure/stability.h): a feature and its negative are the same.
struct Comparison {
  std::vector<FeaturePair> pairs = {};       // largest |cosine| first, then lower a
  double mean = 0;                           // stability.mean: features that only one run has count as 0
  std::optional<double> mean_of_pairs = {};  // mean |cosine| of the pairs there are; none if there are none
  int64_t live_a = 0;                        // features that fire at all
  int64_t live_b = 0;
};

// Takes seconds for a thousand features: keep the result. std::invalid_argument if the items are not as many.
Comparison compare(const Catalogue& a, const Catalogue& b, int threads = 0);

}  // namespace orthant::catalogue
