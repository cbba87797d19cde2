#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "orthant/adapt/adapter.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::adapt {

// Rows of pre-activations that are computed at once: as many as 8 MB hold, from 16 to 256. A tile is all that ever
// exists of [N, H].
int64_t tile_rows(int64_t features);

// W (x - b), without the biases c, of `rows` rows x - b [rows, stride] into out [rows, H]. One BLAS thread.
void pre_activations(const Adapter& adapter, const float* rows_less_bias, int64_t rows, float* out);

// The codes of rows x [rows, stride], as Adapter::prepare() makes them. `active` > 0: the `active` largest of each row,
// whatever the gate; 0: as the adapter says. Codes do not depend on the number of threads, nor on what else is encoded.
SparseMatrix encode(const Adapter& adapter, std::span<const float> x, int64_t active, int threads);

// x^ [rows, stride] of codes [rows, H].
Floats decode(const Adapter& adapter, const SparseMatrix& codes, int threads);

}  // namespace orthant::adapt
