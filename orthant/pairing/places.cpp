#include "orthant/pairing/places.h"

#include <algorithm>
#include <limits>

namespace orthant::pairing {

// Of equal + own in random order, none of the own among the first r: C(equal, r) / C(equal + own, r), as a product over
// the shorter of the two.
double Place::within(int64_t k) const {
  const int64_t r = k - ahead;
  if (own == 0 || r <= 0) return 0;
  if (r > equal) return 1;
  double missed = 1;
  for (int64_t i = 0; i < std::min(r, own); ++i) {
    missed *= static_cast<double>(own < r ? equal + own - r - i : equal - i) / static_cast<double>(equal + own - i);
  }
  return 1 - missed;
}

double recall_at(std::span<const Place> places, int64_t k) {
  double sum = 0;
  int64_t queries = 0;
  for (const Place& place : places) {
    sum += place.within(k);
    queries += place.own > 0 ? 1 : 0;
  }
  return queries == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(queries);
}

int64_t median_rank(std::span<const Place> places) {
  constexpr double kHalf = 0.5 - 1e-12;
  int64_t above = 0;  // certainly enough
  for (const Place& place : places) {
    if (place.own > 0) above = std::max(above, place.ahead + place.equal + 1);
  }
  int64_t below = 0;
  while (above - below > 1) {
    const int64_t middle = below + (above - below) / 2;
    (recall_at(places, middle) >= kHalf ? above : below) = middle;
  }
  return above;
}

std::vector<Place> chance_places(std::span<const int64_t> owned, int64_t all) {
  std::vector<Place> places;
  places.reserve(owned.size());
  for (const int64_t own : owned) places.push_back({.ahead = 0, .equal = all - own, .own = own});
  return places;
}

}  // namespace orthant::pairing
