#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/pairing/places.h"

namespace orthant::pairing {

// Where each side finds the other, by cosine.
struct Ranking {
  std::vector<Place> a_to_b;  // [N]: item i asks all rows of b; counted is the best of its own
  std::vector<Place> b_to_a;  // [M]: row j asks all items for the one that it belongs to
};

// Every cosine of a [N, K] with b [M, K], tile by tile in double precision: 2 N M K operations, and memory for a tile
// of each thread. Cosines within 1e-9 of each other count as equal. A row of zeros has cosine 0 with everything. The
// same for dense and sparse features and, but for cosines on that very edge, for any number of threads.
// std::invalid_argument for widths that differ, entries that are not finite, and as check_owners() says.
Ranking rank_pairs(const Features& a, const Features& b, std::span<const int64_t> owner, int threads = 0);

}  // namespace orthant::pairing
