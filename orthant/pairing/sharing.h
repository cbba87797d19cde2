#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::pairing {

// Which features fire for both members of a pair: |x| > threshold, entries as they are. Means over the rows of b; a
// pair without any active feature shares nothing.
struct Sharing {
  double jaccard = 0;  // features active in both, of those active in either
  double mass_a = 0;   // sum of |x| over the shared features, of that over all active ones, in the item
  double mass_b = 0;   // the same in the row of b
};

// Of each row of b [M, K] with the item of a [N, K] that `owner` names. std::invalid_argument for a threshold that is
// not above 0, and as rank_pairs().
Sharing sharing(const Features& a, const Features& b, std::span<const int64_t> owner, double threshold = 1e-5);

// For each row another item than its own, drawn by the seed: what chance shares. Needs two items.
std::vector<int64_t> other_owners(std::span<const int64_t> owner, int64_t items, uint64_t seed);

// How many features are active in any row of both, of one or of neither.
struct LiveFeatures {
  int64_t both = 0;
  int64_t only_a = 0;
  int64_t only_b = 0;
  int64_t neither = 0;
};
LiveFeatures live_in_both(const Features& a, const Features& b, double threshold = 1e-5);

}  // namespace orthant::pairing
