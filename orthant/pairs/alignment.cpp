#include "orthant/pairs/alignment.h"

#include <numeric>
#include <string>
#include <unordered_map>

#include "orthant/core/error.h"

namespace orthant {
namespace {

using Places = std::unordered_map<std::string, int64_t>;

bool has_names(const Dataset& dataset) {
  if (dataset.info().text) return dataset.info().text_ids;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.id(i) != std::to_string(i)) return true;
  }
  return false;
}

Places places_of(const Dataset& dataset) {
  Places places;
  for (int64_t i = 0; i < dataset.size(); ++i) places.emplace(dataset.id(i), i);
  return places;
}

std::string content_of(const Dataset& dataset) {
  if (dataset.info().text) return "texts";
  return dataset.info().dims > 0 ? "a vector" : "a picture";
}

// IoError unless every item of `all` is in `there`, the ids of `other`.
void check_partners(const Dataset& all, const Dataset& other, const Places& there) {
  int64_t missing = 0;
  std::string first;
  for (int64_t i = 0; i < all.size(); ++i) {
    const std::string id = all.id(i);
    if (!there.contains(id) && missing++ == 0) first = id;
  }
  check_io(missing == 0, "[", other.info().name, "] expected ", content_of(other), " for each of the ", all.size(),
           " items of ", all.info().name, " by their ids, got ", other.size(), " items and none for ", missing,
           " ids, the first of them ", first);
}

}  // namespace

std::vector<int64_t> alignment(const Dataset& a, const Dataset& b) {
  const bool a_named = has_names(a);
  const bool b_named = has_names(b);
  std::vector<int64_t> places(static_cast<size_t>(a.size()));
  if ((a_named && b_named) || (a_named && a.info().text) || (b_named && b.info().text)) {
    const Places in_b = places_of(b);
    check_partners(a, b, in_b);
    check_partners(b, a, places_of(a));
    for (size_t i = 0; i < places.size(); ++i) places[i] = in_b.at(a.id(static_cast<int64_t>(i)));
    return places;
  }
  check_io(a.size() == b.size(), "[pairs] expected as many items in ", a.info().name, " as in ", b.info().name,
           ", got ", a.size(), " and ", b.size());
  std::iota(places.begin(), places.end(), int64_t{0});
  return places;
}

}  // namespace orthant
