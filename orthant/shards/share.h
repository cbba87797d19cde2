#pragma once

#include <cstdint>

namespace orthant::shards {

// Items begin .. end - 1.
struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

// What one of `ranks` processes does of `items` that are worked on `batch` at a time: whole batches, the same ones as a
// single process has, so that each gives the same bits. The ranges of all ranks lie one behind the other and differ by
// at most one batch; where there are more ranks than batches, some are empty. std::invalid_argument unless
// 0 <= rank < ranks, items >= 0 and batch > 0.
Range share_of(int64_t items, int64_t batch, int64_t rank, int64_t ranks);

}  // namespace orthant::shards
