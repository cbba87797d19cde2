#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/index/prepared.h"
#include "orthant/index/shortlist.h"

namespace orthant::index {

// What is worth an entry of a list, or of a row that is read: to begin a row, and to look at sums.
constexpr int64_t kRowOverhead = 12;
constexpr int64_t kRowsAnEntry = 8;

// One query over one segment: its rows are offered to a shortlist, window by window or block by block. Rows outside the
// words of a mask, and the position `without`, are passed over. For one thread.
class WindowSearch {
 public:
  WindowSearch(const Segment& segment, int64_t number, const Prepared& query, std::span<const uint64_t> words,
               int64_t without);

  // Every row of a window that may reach the list's threshold; `bounds` are those of the blocks of the segment,
  // -infinity for one whose rows were offered before. Adds up lists, or reads the rows of the few blocks that are left,
  // whichever is less work.
  void window(int64_t w, std::span<const float> bounds, Shortlist& list, Work& work) const;

  // Every row of a block.
  void block(int64_t b, Shortlist& list, Work& work) const;

 private:
  void add_lists(int64_t w, std::span<const float> bounds, Shortlist& list) const;
  void offer(float score, int64_t position, Shortlist& list) const;
  bool any(int64_t block) const;

  const Segment& segment_;
  int64_t number_;
  const Prepared& query_;
  std::span<const uint64_t> words_;
  int64_t without_;
};

}  // namespace orthant::index
