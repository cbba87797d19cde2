#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "learn/group/group.h"
#include "orthant/run/loss_options.h"

// Losses of a batch that is spread over several ranks: z [V*b, K], float32 and contiguous, are the rows of this rank's
// share, view-major. What comes back is the loss of the whole batch, the same on every rank, and its exact gradient
// with respect to this rank's rows: nothing is left to be told in the backward pass, and the gradients of parameters
// are sums over ranks.
namespace orthant::loss {

struct SharedLoss {
  double value = 0;
  at::Tensor gradient = {};  // [V*b, K]; undefined if none is wanted
};

// Of unit rows, with respect to them. Rows and their sums are gathered.
SharedLoss shared_info_nce(const at::Tensor& unit, int64_t views, double temperature, bool wants_gradient,
                           const SharedBatch& spread);

// Of rows as they are, through the sum of Z'Z [K, K].
SharedLoss shared_spectral(const at::Tensor& z, int64_t views, bool wants_gradient, const SharedBatch& spread);

// barlow() and vicreg() of learn/loss/decorrelation.h as scalars that autograd connects to z, through sums of [K, K].
at::Tensor shared_barlow(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread);
at::Tensor shared_vicreg(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread);

}  // namespace orthant::loss
