#pragma once

#include <cstdint>
#include <vector>

#include "orthant/catalogue/explanation.h"
#include "orthant/catalogue/item_profile.h"
#include "orthant/core/features.h"
#include "orthant/search/columns.h"

namespace orthant::catalogue {

// The items most similar to one row, exactly, without having compared all with all: sparse features are followed column
// by column, so that only items which share a feature cost anything but a glance; a million items of thirty features
// take milliseconds. Reading from several threads is safe.
class ItemSearch {
 public:
  // `columns` are those of the features; both must outlive this. Memory: 4 bytes an item.
  ItemSearch(const Features& features, const search::Columns& columns);

  // The `k` items of largest cosine, of equal ones the lower; fewer if there are not as many. `except` is not among
  // them. An item without features, and any with a row of zeros, has the score 0.
  std::vector<ItemMatch> nearest(const RowEntries& row, int64_t k, int64_t except = -1) const;

 private:
  class Best;
  void search_sparse(const RowEntries& row, Best& best) const;
  void search_dense(const RowEntries& row, Best& best) const;

  Features features_;
  const search::Columns* columns_;
  std::vector<float> lengths_;  // [N]: 1 over the length of each row; 0 of a row of zeros
};

}  // namespace orthant::catalogue
