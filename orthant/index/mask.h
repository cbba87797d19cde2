#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/index/index.h"
#include "orthant/query/filter.h"

namespace orthant::index {

// Which rows of an index may be found: a bit for each position of each segment.
class Mask {
 public:
  // All that were not removed.
  explicit Mask(const Index& index) : Mask(index, nullptr) {}
  // Those of them for which the filter holds. Features are compared as they are kept, before any scaling.
  Mask(const Index& index, const query::Filter& filter) : Mask(index, &filter) {}

  // A word for every 64 positions; empty: all of the segment.
  std::span<const uint64_t> words(int64_t segment) const { return words_[static_cast<size_t>(segment)]; }
  int64_t count() const { return count_; }

 private:
  Mask(const Index& index, const query::Filter* filter);

  std::vector<std::vector<uint64_t>> words_;
  int64_t count_ = 0;
};

inline bool holds(std::span<const uint64_t> words, int64_t position) {
  return words.empty() || ((words[static_cast<size_t>(position / 64)] >> (position % 64)) & 1) != 0;
}

}  // namespace orthant::index
