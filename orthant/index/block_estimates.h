#pragma once

#include <cstdint>
#include <vector>

#include "orthant/index/prepared.h"

namespace orthant::index {

// What each block of an index, those of all segments one after the other, is likely to hold of a query: an approximate
// search reads those with the largest numbers first, equal ones by earlier block.
class BlockEstimates {
 public:
  BlockEstimates(const Index& index, const Prepared& query);

  // The block of an item counts without it from here on, as if it were not in the index.
  void forget(const Item& item);

  // The best blocks, by rising place.
  std::vector<int64_t> best(int64_t count) const;

  // How many blocks come before the one of this item.
  int64_t place_of(const Item& item) const;

 private:
  struct Part {
    int64_t first;               // number of its first block
    std::vector<uint16_t> sums;  // by block
    std::vector<uint16_t> most;  // of each 64 of them
  };

  const Index& index_;
  const Prepared& query_;
  std::vector<Part> parts_;  // by segment
};

}  // namespace orthant::index
