#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orthant/index/index.h"
#include "orthant/index/mask.h"
#include "orthant/query/weights.h"

namespace orthant::index {

// What is looked for: weights of features, by rising feature, each once. They may be negative.
struct Query {
  std::vector<query::Weight> weights;
  std::optional<Item> itself = std::nullopt;  // an item that is not to be found
};

struct Hit {
  Item item;
  double score = 0;

  bool operator==(const Hit&) const = default;
};

// What a search had to look at.
struct Work {
  int64_t windows = 0;    // whose lists were added up
  int64_t postings = 0;   // entries of all those lists
  int64_t blocks = 0;     // whose parts of lists were added up, and nothing else of their window
  int64_t passed_by = 0;  // blocks that their bound ruled out

  Work& operator+=(const Work& other);
};

struct SearchOptions {
  int64_t k = 10;  // hits, from 1
  int64_t blocks =
      0;            // 0: exact; otherwise the rows of as many blocks are read, those that promise most, and no others
  int threads = 0;  // 0: what the machine offers
};

struct Found {
  std::vector<Hit> hits;  // best first; equal scores by earlier item
  Work work;
};

// The k best rows of the mask for each query, by the metric of the index. Scores are summed in double precision by
// rising feature, from the values as the index keeps them; an exact search gives the same rows as looking at each, ties
// included, for any number of threads: rows are left out only where a bound shows that they cannot be among the best.
// IoError where a part of the index is damaged, std::invalid_argument for k < 1 or a feature that is not there.
std::vector<Found> search(const Index& index, std::span<const Query> queries, const Mask& mask,
                          const SearchOptions& options = {});

// What each feature adds to the score of a hit: those that are not zero, largest size first, equal ones by lower
// feature. They add up to the score.
struct Contribution {
  int64_t feature;
  float weight;  // in the query
  float value;   // in the item
  double share;  // of the score
};
std::vector<Contribution> contributions(const Index& index, const Query& query, const Item& item);

// The row of an item as a query that does not find itself.
Query query_of(const Index& index, const Item& item);

}  // namespace orthant::index
