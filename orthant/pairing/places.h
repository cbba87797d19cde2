#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orthant::pairing {

// Where a query finds the best of what belongs to it. Equal scores are in random order, and everything below is the
// expectation over that order: features that are all the same score exactly what chance does.
struct Place {
  int64_t ahead = 0;  // others with a higher score
  int64_t equal = 0;  // others with the same score
  int64_t own = 0;    // what belongs to the query, of that same score; 0: nothing does, and it is no query

  // The probability that one of its own is among the first k.
  double within(int64_t k) const;
};

// The mean of within(k) over the queries; NaN if there are none.
double recall_at(std::span<const Place> places, int64_t k);

// The smallest k with recall_at(k) of at least a half: the median rank, counted from 1. 0 if there are no queries.
int64_t median_rank(std::span<const Place> places);

// The places of queries that tell nothing: of `owned[q]` that belong to query q among `all`, in random order.
std::vector<Place> chance_places(std::span<const int64_t> owned, int64_t all);

}  // namespace orthant::pairing
