#pragma once

#include <cstdint>
#include <functional>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/search/neighbours.h"

namespace orthant::layout {

struct UmapOptions {
  int64_t k = 15;         // neighbours that pull at an item, from 1; lowered to the number of other items
  double min_dist = 0.1;  // how close neighbours may lie, from 0 to 1: small values make dense clumps
  int64_t epochs = 0;     // passes over all items; 0: 2,000,000 / N, at least 200 and at most 500
  uint64_t seed = 0;      // of the items pushed away, drawn at random
  int threads = 0;        // 0: what the machine offers

  // The neighbours by cosine of all rows among all, the row itself excluded, at least min(k, N - 1) of them; the first
  // k are taken. Must outlive the call. Null: they are searched for here, which is most of the time of large sets.
  const search::Neighbours* neighbours = nullptr;

  // Told about work done, in thousandths: done rises to total. Called from one thread at a time, any of them. May
  // throw, which ends the work with that exception.
  std::function<void(int64_t done, int64_t total)> progress = nullptr;
};

// Where to draw N items with features [N, D], dense or sparse, so that those with a small angle between their features
// lie close: a layout in the manner of UMAP (McInnes, Healy and Melville, 2018), as [N, 2] in the frame of frame.h:
// within [-1, 1], one scale for both axes. Distances between clusters and the axes mean little; who lies near whom
// does.
//
// It starts at the principal components and pulls an item to its neighbours by the weights of neighbour_graph.h while
// pushing it away from five items drawn at random for each pull. Where UMAP goes through the pulls of all items one by
// one, here every item goes through its own while the others stay where they were in the epoch before: the result is
// the same for any number of threads, and for a sparse matrix as for its dense twin as far as their components agree.
//
// Items without any feature (zero rows) have no angle; they are each other's neighbours only, and so one island.
// Equal items lie close but apart. Up to three items, and less than two different ones, are fine. Memory beyond the
// arguments: about 1 kB an item.
//
// std::invalid_argument if an option is out of range, an entry is NaN or infinite, or the neighbours given do not fit.
Matrix umap_layout(const Features& features, const UmapOptions& options = {});

}  // namespace orthant::layout
