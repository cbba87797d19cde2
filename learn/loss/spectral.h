#pragma once

#include <cstdint>
#include <span>

#include "learn/loss/rows.h"

namespace orthant::loss {

// The number of floats that spectral() works in: the smaller of [rows, rows] and [dims, dims], so at most rows * dims.
int64_t spectral_workspace(const Batch& batch);

// The spectral contrastive loss as defined in learn/loss/loss.h, of rows z as they are. Returns the loss; `gradient`
// [rows, dims], unless it is empty, receives its derivative.
//
// The pairs are never visited one by one: with M = Z'Z [dims, dims], the squares of all inner products sum to |M|^2
// and have the derivative 4 Z M, and pairs of one image are taken away again. That costs rows dims^2 instead of
// rows^2 dims. A batch with fewer rows than dims goes through Z Z' instead. Allocates nothing. The result does not
// depend on `threads`.
double spectral(const Batch& batch, std::span<const float> z, std::span<float> gradient, std::span<float> workspace,
                int threads);

}  // namespace orthant::loss
