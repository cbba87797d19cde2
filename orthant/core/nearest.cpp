#include "orthant/core/nearest.h"

#include <algorithm>
#include <vector>

namespace orthant {
namespace {

// Edits to make `b` of `a`; with `inside`, to make any part of `b` of it.
size_t edits(const std::string& a, const std::string& b, bool inside) {
  const size_t width = b.size() + 1;
  std::vector<size_t> table((a.size() + 1) * width);
  const auto at = [&](size_t i, size_t j) -> size_t& { return table[i * width + j]; };
  for (size_t j = 0; j < width; ++j) at(0, j) = inside ? 0 : j;
  for (size_t i = 1; i <= a.size(); ++i) {
    at(i, 0) = i;
    for (size_t j = 1; j < width; ++j) {
      const size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return inside ? *std::min_element(table.end() - static_cast<std::ptrdiff_t>(width), table.end()) : table.back();
}

}  // namespace

size_t edit_distance(const std::string& a, const std::string& b) {
  return std::min(edits(a, b, false), edits(a, b, true) + 1);
}

const std::string* nearest(const std::string& word, std::span<const std::string> candidates) {
  const auto found =
      std::ranges::min_element(candidates, {}, [&](const std::string& known) { return edit_distance(word, known); });
  const size_t allowed = word.size() <= 3 ? 1 : std::max<size_t>(2, word.size() / 3);
  return found == candidates.end() || edit_distance(word, *found) > allowed ? nullptr : &*found;
}

}  // namespace orthant
