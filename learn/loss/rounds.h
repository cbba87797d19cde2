#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace orthant::loss {

// Every unordered pair of `blocks` blocks, each block with itself included, put into rounds such that a block occurs
// once a round at most: the pairs of one round can be worked on at the same time, adding to both of their blocks, and
// every block is added to in the order of the rounds, whatever the threads do. Round 0 pairs blocks with themselves;
// the others are the circle method of tournaments.
class Rounds {
 public:
  explicit Rounds(int64_t blocks) : blocks_(blocks), circle_((blocks + 1) / 2 * 2 - 1) {}

  int64_t count() const { return blocks_ > 1 ? 1 + circle_ : 1; }
  int64_t slots(int64_t round) const { return round == 0 ? blocks_ : (circle_ + 1) / 2; }

  // The pair, smaller block first; nothing where a slot stays empty because the number of blocks is odd.
  std::optional<std::pair<int64_t, int64_t>> pair(int64_t round, int64_t slot) const {
    if (round == 0) return std::pair{slot, slot};
    const int64_t first = (round - 1 + slot) % circle_;
    const int64_t second = slot == 0 ? circle_ : (round - 1 + circle_ - slot) % circle_;
    if (first >= blocks_ || second >= blocks_) return std::nullopt;
    return std::pair{std::min(first, second), std::max(first, second)};
  }

 private:
  int64_t blocks_;
  int64_t circle_;  // the number of blocks made even, less the one that stays in its place
};

}  // namespace orthant::loss
