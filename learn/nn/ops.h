#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "learn/group/group.h"

// Operations of the networks' layers. Activations are [N, C, H, W] in channels-last memory. On a CPU, in float32 and
// with channels that are a multiple of 16, our own kernels do the work; anything else goes to LibTorch's, with the same
// result up to rounding. In a Bf16Scope (learn/tiles/bf16_ops.h) products are of rounded operands. All are connected to
// autograd and use at::get_num_threads() threads.
namespace orthant::ops {

// x [N, C, H, W], weight [K, C, k, k] -> [N, K, ...]. 3x3 with padding 1 by winograd.h, 1x1 and halving 2x2 as
// matrix products.
at::Tensor conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding);

// Batch statistics of one application, for the running statistics.
struct BatchNormResult {
  at::Tensor y;
  at::Tensor mean;      // [C]
  at::Tensor variance;  // [C], divided by the number of rows
  int64_t rows = 0;
};

// relu(batch_norm(x) + residual) by the statistics of the batch; x is [N, C, H, W] or [N, C]. `residual` may be
// undefined. The mean and variance carry no gradient. The batch is that of all ranks of `group`, each of which has its
// rows here; the gradients of gamma and beta are this rank's part of them.
BatchNormResult batch_norm_train(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                                 const at::Tensor& residual, bool relu, double eps, const Group& group = {});

// The same by given statistics.
at::Tensor batch_norm_eval(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta, const at::Tensor& mean,
                           const at::Tensor& variance, const at::Tensor& residual, bool relu, double eps);

// The mean of some rows of a table [R, D] for each of N items: ids [N, L], int32, contiguous, below R; negative ones
// count as none, and an item without ids is zero. -> [N, D]. The table's gradient does not depend on the number of
// threads. std::invalid_argument for other ids.
at::Tensor bag_mean(const at::Tensor& table, const at::Tensor& ids);

// Softmax attention among the tokens of each of N items, which lie behind one another: qkv [M, 3 D] holds q, k and v of
// each token, `begins` (int64 [N + 1], contiguous) where the tokens of each item begin. -> [M, D].
at::Tensor segment_attention(const at::Tensor& qkv, const at::Tensor& begins, int64_t heads);

// The largest of each window of `kernel` x `kernel` pixels, `stride` apart: x [N, C, H, W] with `padding` on all sides.
at::Tensor max_pool2d(const at::Tensor& x, int64_t kernel, int64_t stride, int64_t padding);

// For whoever wants something else of a network's layers than their values and gradients (learn/explain/flow.h): takes
// the place of conv2d(), batch_norm_eval() and max_pool2d() on this thread for as long as it lives. One at a time.
class Detour {
 public:
  Detour();
  virtual ~Detour();
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

  virtual at::Tensor conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding) = 0;
  // relu(x scale + shift + residual), scale and shift [C].
  virtual at::Tensor normalise(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                               const at::Tensor& residual, bool relu) = 0;
  virtual at::Tensor max_pool2d(const at::Tensor& x, int64_t kernel, int64_t stride, int64_t padding) = 0;

  static Detour* taken();  // on this thread; null if there is none
};

// True where our own kernels can work on x with `channels` channels.
bool has_fast_path(const at::Tensor& x, int64_t channels);

}  // namespace orthant::ops
