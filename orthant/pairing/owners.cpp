#include "orthant/pairing/owners.h"

#include <numeric>
#include <string>
#include <unordered_map>

#include "orthant/core/error.h"

namespace orthant::pairing {
namespace {

std::unordered_map<std::string, int64_t> places_of(const std::vector<std::string>& ids) {
  std::unordered_map<std::string, int64_t> places;
  for (size_t i = 0; i < ids.size(); ++i) {
    const bool fresh = places.emplace(ids[i], static_cast<int64_t>(i)).second;
    check(fresh, "[pairs] expected each id of the first embeddings once, got ", ids[i], " twice");
  }
  return places;
}

}  // namespace

std::vector<int64_t> owners_of(const Embeddings& a, const Embeddings& b) {
  std::vector<int64_t> owner(static_cast<size_t>(b.rows()));
  if (a.ids.empty() || b.ids.empty()) {
    check(a.rows() == b.rows(), "[pairs] expected as many rows in both, since not both have ids, got ", a.rows(),
          " and ", b.rows());
    std::iota(owner.begin(), owner.end(), int64_t{0});
    return owner;
  }
  const auto places = places_of(a.ids);
  int64_t unknown = 0;
  std::string first;
  for (size_t j = 0; j < owner.size(); ++j) {
    const auto found = places.find(b.ids[j]);
    if (found != places.end()) {
      owner[j] = found->second;
    } else if (unknown++ == 0) {
      first = b.ids[j];
    }
  }
  check(unknown == 0, "[pairs] expected ids that the first embeddings have, got ", unknown,
        " others in the second, the first ", first);
  return owner;
}

void check_owners(int64_t items, int64_t rows, std::span<const int64_t> owner) {
  check(items > 0 && rows > 0, "[pairs] expected rows on both sides, got ", items, " and ", rows);
  check(static_cast<int64_t>(owner.size()) == rows, "[pairs] expected an owner for each of ", rows, " rows, got ",
        owner.size());
  for (size_t j = 0; j < owner.size(); ++j) {
    check(owner[j] >= 0 && owner[j] < items, "[pairs] expected owners from 0 to ", items - 1, ", got ", owner[j],
          " for row ", j);
  }
}

}  // namespace orthant::pairing
