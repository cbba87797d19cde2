#pragma once

#include <cstdint>
#include <vector>

namespace orthant::adapt {

// The order in which an epoch takes rows that may be too many for memory. Rows lie in blocks, which are next to each
// other on the disk; the blocks are shuffled, so many of them as fit into memory are a window, and the rows of a window
// are shuffled. With one window that is a shuffle of all rows. A function of (seed, epoch) alone: a run that goes on
// meets the rows that it would have met.
class RowOrder {
 public:
  // `left_out`, rising, are not taken.
  RowOrder(int64_t rows, std::vector<int64_t> left_out, int64_t block, int64_t window_blocks, uint64_t seed);

  int64_t size() const { return rows_ - static_cast<int64_t>(left_out_.size()); }  // rows of an epoch
  int64_t block() const { return block_; }
  int64_t windows() const;

  // The blocks of a window as they are read: block b has rows b * block() up to the next block's, or the last.
  std::vector<int64_t> blocks(int64_t epoch, int64_t window) const;

  // A row, and where it lies when the blocks of its window lie behind one another, block() rows for each.
  struct Place {
    int64_t row = 0;
    int64_t slot = 0;

    bool operator==(const Place&) const = default;
  };
  std::vector<Place> places(int64_t epoch, int64_t window) const;

 private:
  int64_t rows_in(int64_t block) const;

  int64_t rows_;
  std::vector<int64_t> left_out_;
  int64_t block_;
  int64_t window_blocks_;
  uint64_t seed_;
};

}  // namespace orthant::adapt
