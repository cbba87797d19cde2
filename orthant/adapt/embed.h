#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/material.h"
#include "orthant/adapt/vectors.h"
#include "orthant/core/embeddings.h"
#include "orthant/shards/spool.h"

namespace orthant::adapt {

struct EmbedOptions {
  int64_t active = 0;   // features on per row; 0: as the adapter says
  bool second = false;  // the vectors are those of the second tower
  int threads = 0;      // codes do not depend on it
  shards::SpoolOptions spool = {};
  std::function<void(int64_t done)> progress = {};  // may throw, which ends it
};

// The codes of the vectors, row by row, with their labels and ids; `rows`, rising, are the ones to take, empty: all.
// Read and encoded in pieces: beyond a piece only the codes exist, on disk if they are many. std::invalid_argument if
// the vectors are of another width; IoError naming the first row that is not finite.
Embeddings embed(const Adapter& adapter, const Vectors& vectors, const RowNames& names,
                 const std::vector<int64_t>& rows = {}, const EmbedOptions& options = {});

}  // namespace orthant::adapt
