#pragma once

#include <cstdint>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/codes.h"

namespace orthant::adapt {

// What is looked for in a batch.
struct SelectionOptions {
  int64_t active = 0;  // K
  int64_t wide = 0;    // 4K, or K if nothing wider is wanted
  int64_t spare = 0;   // dead features per row that try
  double jump_width = 0.2;
  int threads = 0;
};

struct Selection {
  BatchCodes codes;
  float smallest = 0;  // batch: the smallest activation among the B K; 0 if fewer are above 0
};

// Which features do what in the rows x - b [rows, stride] of a batch; `dead` are the dead features, by number. Tile by
// tile: the pre-activations [tile, H] are gone when it returns. `guess`, of batch, is a threshold that about 4K per
// row exceed, and is left where the next batch should begin; what is found does not depend on it. The same for any
// number of threads. Equal values go to the lower row, then the lower feature.
Selection select_features(const Adapter& adapter, const float* rows_less_bias, int64_t rows,
                          const std::vector<int32_t>& dead, float& guess, const SelectionOptions& options);

}  // namespace orthant::adapt
