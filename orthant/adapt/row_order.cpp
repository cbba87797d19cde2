#include "orthant/adapt/row_order.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "orthant/core/rng.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kBlockStream = 0xff20;
constexpr uint16_t kRowStream = 0xff21;

}  // namespace

RowOrder::RowOrder(int64_t rows, std::vector<int64_t> left_out, int64_t block, int64_t window_blocks, uint64_t seed)
    : rows_(rows), left_out_(std::move(left_out)), block_(block), window_blocks_(window_blocks), seed_(seed) {}

int64_t RowOrder::windows() const {
  const int64_t blocks = (rows_ + block_ - 1) / block_;
  return (blocks + window_blocks_ - 1) / window_blocks_;
}

int64_t RowOrder::rows_in(int64_t block) const { return std::min(block_, rows_ - block * block_); }

std::vector<int64_t> RowOrder::blocks(int64_t epoch, int64_t window) const {
  std::vector<int64_t> all(static_cast<size_t>((rows_ + block_ - 1) / block_));
  std::iota(all.begin(), all.end(), int64_t{0});
  if (windows() > 1) {
    Rng rng({.seed = seed_, .epoch = static_cast<uint32_t>(epoch), .view = kBlockStream});
    rng.shuffle(std::span<int64_t>(all));
  }
  const int64_t begin = window * window_blocks_;
  const int64_t end = std::min(begin + window_blocks_, std::ssize(all));
  return {all.begin() + begin, all.begin() + end};
}

std::vector<RowOrder::Place> RowOrder::places(int64_t epoch, int64_t window) const {
  std::vector<Place> places;
  int64_t begin = 0;  // slot of the block
  for (const int64_t block : blocks(epoch, window)) {
    const int64_t first = block * block_;
    auto skipped = std::ranges::lower_bound(left_out_, first);
    for (int64_t row = first; row < first + rows_in(block); ++row) {
      if (skipped != left_out_.end() && *skipped == row) {
        ++skipped;
      } else {
        places.push_back({row, begin + row - first});
      }
    }
    begin += block_;
  }
  Rng rng({.seed = seed_,
           .epoch = static_cast<uint32_t>(epoch),
           .sample = static_cast<uint64_t>(window),
           .view = kRowStream});
  rng.shuffle(std::span<Place>(places));
  return places;
}

}  // namespace orthant::adapt
