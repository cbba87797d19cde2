#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orthant/core/rng.h"

namespace orthant {

// Which different items of a data set belong together, so that training brings them close: the edges of a graph, pairs
// that somebody gave, neighbours, members of a class. An epoch goes through size() entries, each of them two items.
class Positives {
 public:
  virtual ~Positives() = default;

  virtual int64_t size() const = 0;
  // The two items of an entry in [0, size()). Random choices come from `key`, whose sample is the entry. Safe from
  // several threads.
  virtual std::array<int64_t, 2> draw(int64_t entry, const StreamKey& key) const = 0;
};

using PositivesPtr = std::shared_ptr<const Positives>;

// Two items that belong together, and how much.
struct Link {
  int64_t first = 0;
  int64_t second = 0;
  double weight = 1;

  bool operator==(const Link&) const = default;
};

// An entry for each link. Of equal weights an epoch takes every link once; of others each entry is a link drawn with a
// probability in proportion to its weight. Either way an item appears as often as its links weigh, so that what a batch
// holds besides a pair, its negatives, are items by their degree: the normalised adjacency of the theory. Which end
// comes first is drawn. std::invalid_argument unless there is a link, every item lies in [0, items), and weights are
// finite, not negative and not all zero.
PositivesPtr link_positives(std::vector<Link> links, int64_t items);

// An entry for each item that has a class with another member: it and another member, drawn at random. `labels`: -1 has
// no class. std::invalid_argument if there is no such item.
PositivesPtr class_positives(std::span<const int64_t> labels);

}  // namespace orthant
