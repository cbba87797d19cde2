#include "orthant/disentangle/chance_purity.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"

namespace orthant::disentangle {
namespace {

constexpr uint16_t kDrawStream = 0xff47;
constexpr int kDrawings = 2000;

// The class of each item, the smallest class first: which of them is called what makes no difference.
std::vector<int32_t> classes_of(std::span<const int64_t> members) {
  std::vector<int64_t> sizes(members.begin(), members.end());
  std::ranges::sort(sizes);
  std::vector<int32_t> classes;
  for (size_t c = 0; c < sizes.size(); ++c) {
    classes.insert(classes.end(), static_cast<size_t>(sizes[c]), static_cast<int32_t>(c));
  }
  return classes;
}

}  // namespace

std::vector<double> chance_purity(std::span<const int64_t> members, int64_t most) {
  std::vector<int32_t> items = classes_of(members);
  check(!items.empty() && most >= 0, "[chance_purity] expected items and a number of them to draw, got ", items.size(),
        " and ", most);
  const size_t drawn = std::min(items.size(), static_cast<size_t>(most));
  std::vector<int64_t> largest(drawn + 1);  // sums over drawings
  Rng rng({.view = kDrawStream});
  std::vector<int32_t> counts(members.size());
  for (int drawing = 0; drawing < kDrawings; ++drawing) {
    // Items that earlier drawings have moved are as good a start as any: the first ones are drawn anew.
    int32_t commonest = 0;
    for (size_t s = 0; s < drawn; ++s) {
      std::swap(items[s], items[s + rng.below(items.size() - s)]);
      commonest = std::max(commonest, ++counts[static_cast<size_t>(items[s])]);
      largest[s + 1] += commonest;
    }
    for (size_t s = 0; s < drawn; ++s) counts[static_cast<size_t>(items[s])] = 0;
  }
  std::vector<double> chance(static_cast<size_t>(most) + 1);
  for (size_t s = 1; s <= drawn; ++s) {
    chance[s] = static_cast<double>(largest[s]) / (kDrawings * static_cast<double>(s));
  }
  std::fill(chance.begin() + static_cast<int64_t>(drawn), chance.end(), chance[drawn]);
  return chance;
}

}  // namespace orthant::disentangle
