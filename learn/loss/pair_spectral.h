#pragma once

#include <cstdint>
#include <span>

#include "learn/loss/rows.h"

namespace orthant::loss {

// The number of floats that pair_spectral() works in: [items, items], or two matrices [dims, dims] where there are more
// items than dims.
int64_t pair_spectral_workspace(const Batch& batch);

// The spectral loss of two towers as defined in learn/loss/pair_loss.h, of rows z as they are, laid out as for
// pair_info_nce(). Returns the loss; `gradient` [rows, dims], unless it is empty, receives its derivative.
//
// With A, B [items, dims] the towers' rows, the squares of all inner products sum to <A'A, B'B>, with the derivatives
// 2 A (B'B) and 2 B (A'A), and pairs are taken away again: items dims^2 instead of items^2 dims. A batch with fewer
// items than dims goes through A B' instead. Allocates nothing. The result does not depend on `threads`.
double pair_spectral(const Batch& batch, std::span<const float> z, std::span<float> gradient,
                     std::span<float> workspace, int threads);

}  // namespace orthant::loss
