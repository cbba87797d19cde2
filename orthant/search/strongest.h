#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::search {

struct StrongestOptions {
  int64_t most = 1;         // items per feature, from 1
  double threshold = 1e-5;  // only entries above it, the row scaled to unit length; not negative
  int threads = 0;          // 0: what the machine offers
};

// The items in which each of D features is strongest, strongest first; of equal ones the lower item first.
struct StrongestItems {
  std::vector<int64_t> begin;  // [D + 1] into items
  std::vector<int32_t> items;

  std::span<const int32_t> of(int64_t feature) const {
    const auto from = static_cast<size_t>(begin[static_cast<size_t>(feature)]);
    return std::span(items).subspan(from, static_cast<size_t>(begin[static_cast<size_t>(feature) + 1]) - from);
  }
};

// Of features [N, D], rows scaled to unit length: a feature has fewer than `most` items if fewer are above the
// threshold. Rows where `kept` [N] is false are left out; an empty one keeps all. One pass over the rows with a buffer
// of at most 2 `most` entries for each feature and thread, of which only the better half is kept when it is full: no
// column is sorted; where the buffers of all threads could exceed 1 GiB, fewer threads work, at least one. The result
// is the same for any number of threads, and for sparse features as for their dense twin. std::invalid_argument for an
// option out of range or 2^31 rows or more.
StrongestItems strongest_items(const Features& features, const std::vector<bool>& kept,
                               const StrongestOptions& options = {});

// How many items are a share of them, rounded up: 1 of 100 at 0.01, 2 of 101.
int64_t items_of_share(double share, int64_t items);

}  // namespace orthant::search
