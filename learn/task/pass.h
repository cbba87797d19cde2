#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "learn/loss/loss.h"
#include "learn/nn/model.h"
#include "orthant/run/term_options.h"

namespace orthant {

// The forward and backward pass of one batch.
struct Pass {
  LossResult loss;
  at::Tensor features;  // backbone [V*B, F], cut off from autograd
  at::Tensor z;         // [V*B, K], likewise
};

// What else the backbone is to learn: a scalar, connected by autograd to the features [V*B, F] of all rows. It may have
// parameters of its own, whose gradients it adds to as well.
using FeatureLoss = std::function<at::Tensor(const at::Tensor& features)>;

struct PassOptions {
  int64_t views = 2;
  bool views_apart = false;  // each view passes the network on its own, instead of all together
  int64_t chunk = 0;         // rows at once; 0: all
  double blend = 1;          // share of sigma+
  LossOptions loss = {};
  TermOptions terms = {};   // added to the gradient, not to the value that is told; not with a chunk
  FeatureLoss beside = {};  // likewise, and with a chunk too; empty: nothing
  SharedBatch spread = {};  // the rows are this rank's of a batch that is spread over several
};

// Adds the gradient of the loss of `rows` [V*B, ...] to the parameters of `model`, which is in training mode. Batch
// norm takes its statistics from the rows that pass together, and updates its running statistics once for each such
// pass: all views at once, or, with views_apart, one view after the other.
//
// With a chunk, memory for activations is that of a chunk, and the loss still sees every row against every other
// (Gao et al. 2021, "GradCache"): the rows first pass without gradients, the loss gives dL/dz of the whole batch, and
// then the rows pass again, piece by piece, with dL/dz at their ends. The gradient is the exact one for networks
// without batch norm; batch norm sees one piece at a time. With views_apart a piece never holds rows of two views.
// Where the batch is spread over ranks, all of them have equally many pieces, of at most a chunk of rows each.
Pass forward_backward(Model& model, const at::Tensor& rows, const PassOptions& options);

// What the network, in training mode, makes of the rows [V*B, ...] without gradients: z [V*B, K]. Batch norm sees the
// rows that pass together, and updates its running statistics, as above.
at::Tensor forward_only(Model& model, const at::Tensor& rows, const PassOptions& options);

// The loss of all rows z [V*B, K], after sigma+. It may have parameters of its own, whose gradients it adds to as well.
using RowLoss = std::function<LossResult(const at::Tensor& z)>;

// The same with another loss than options.loss.
Pass forward_backward(Model& model, const at::Tensor& rows, const PassOptions& options, const RowLoss& loss);

}  // namespace orthant
