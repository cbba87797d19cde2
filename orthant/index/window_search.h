#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/index/prepared.h"
#include "orthant/index/shortlist.h"

namespace orthant::index {

// What takes as long as an entry of a list: a part of beginning a list, and looking at some sums.
constexpr int64_t kListOverhead = 32;
constexpr int64_t kRowsAnEntry = 8;

// One query over one segment: its rows are offered to a shortlist, window by window or block by block. Rows outside the
// words of a mask, and the position `without`, are passed over. For one thread.
class WindowSearch {
 public:
  WindowSearch(const Segment& segment, int64_t number, const Prepared& query, std::span<const uint64_t> words,
               int64_t without);

  // Every row of a window that may reach the list's threshold; `bounds` are those of the blocks of the segment,
  // -infinity for one whose rows were offered before. Adds up all of the lists, or their parts in the few blocks that
  // are left, whichever is less work.
  void window(int64_t w, std::span<const float> bounds, Shortlist& list, Work& work) const;

  // Every row of blocks begin to end - 1, which lie in one window.
  void blocks(int64_t begin, int64_t end, Shortlist& list, Work& work) const;

 private:
  // Adds up lists, or parts of lists, for `rows` rows from a place of their window on, whose postings end at `end`;
  // returns how many entries.
  int64_t add_up(std::span<const List> lists, const Posting* end, int64_t place, int64_t rows) const;
  void offer_above(int64_t place, int64_t end, int64_t first, std::span<const float> bounds, Shortlist& list) const;
  void offer(float score, int64_t position, Shortlist& list) const;
  bool any(int64_t block) const;

  const Segment& segment_;
  int64_t number_;
  const Prepared& query_;
  std::span<const uint64_t> words_;
  int64_t without_;
};

}  // namespace orthant::index
