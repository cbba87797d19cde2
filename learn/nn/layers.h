#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "learn/nn/initialiser.h"
#include "learn/nn/module.h"

namespace orthant {

// A convolution without bias, square kernels. Initialised as torchvision's ResNets: normal with variance
// 2 / (k k out).
class Conv2d : public Module {
 public:
  Conv2d(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, Initialiser& init);

  // [N, in, H, W] -> [N, out, out_size(H), out_size(W)]
  at::Tensor forward(const at::Tensor& x) const;
  int64_t out_size(int64_t size) const { return (size + 2 * padding_ - kernel_) / stride_ + 1; }
  // Of one image whose side is `size`.
  double flops(int64_t size) const;

 private:
  int64_t kernel_;
  int64_t stride_;
  int64_t padding_;
  at::Tensor weight_;  // [out, in, kernel, kernel]
};

// Batch norm over all but the second dimension, and over all ranks that it joined, with running statistics (momentum
// 0.1, eps 1e-5), scale 1 and shift 0 at first.
class BatchNorm : public Module {
 public:
  explicit BatchNorm(int64_t channels);

  // relu(batch_norm(x) + residual); the residual may be undefined.
  at::Tensor forward(const at::Tensor& x, bool relu, const at::Tensor& residual = {});

 private:
  at::Tensor weight_;
  at::Tensor bias_;
  at::Tensor running_mean_;
  at::Tensor running_var_;
  at::Tensor num_batches_tracked_;  // int64 []
};

// Linear with bias; uniform in +-1 / sqrt(in) as torch's, or truncated normal of deviation 0.02 and bias 0 as in vision
// transformers.
class Linear : public Module {
 public:
  enum class Start { torch, transformer };
  Linear(int64_t in, int64_t out, Initialiser& init, Start start = Start::torch);

  at::Tensor forward(const at::Tensor& x) const;  // [..., in] -> [..., out]
  double flops() const;                           // of one row

 private:
  at::Tensor weight_;  // [out, in]
  at::Tensor bias_;
};

// `depth` times Linear - ReLU; the layers are called 0, 1, ...
class ReluLayers : public Module {
 public:
  ReluLayers(int64_t in, int64_t hidden, int64_t depth, Initialiser& init);

  at::Tensor forward(at::Tensor x) const;  // [N, in] -> [N, hidden]
  int64_t features() const { return hidden_; }
  double flops() const;  // of one row

 private:
  int64_t hidden_;
  std::vector<std::unique_ptr<Linear>> layers_;
};

// Layer norm over the last dimension, eps 1e-6.
class LayerNorm : public Module {
 public:
  explicit LayerNorm(int64_t dims);
  at::Tensor forward(const at::Tensor& x) const;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

// Mean over the pixels: [N, C, H, W] -> [N, C].
at::Tensor global_average(const at::Tensor& x);

}  // namespace orthant
