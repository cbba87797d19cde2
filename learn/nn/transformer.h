#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "learn/nn/layers.h"
#include "learn/nn/module.h"

namespace orthant {

// Multi-head softmax attention; names as timm's.
class Attention : public Module {
 public:
  Attention(int64_t dims, int64_t heads, Initialiser& init);

  // [N, T, dims]: all T tokens of an item attend to each other.
  at::Tensor forward(const at::Tensor& x) const;
  // [M, dims]: the tokens of several items behind one another, as ops::segment_attention() takes them.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& begins) const;
  double flops(int64_t tokens) const;  // of one item

 private:
  int64_t dims_;
  int64_t heads_;
  Linear qkv_;
  Linear proj_;
};

// Linear - GELU - Linear, four times as wide inside.
class Feedforward : public Module {
 public:
  Feedforward(int64_t dims, Initialiser& init);
  at::Tensor forward(const at::Tensor& x) const;
  double flops(int64_t tokens) const;

 private:
  Linear fc1_;
  Linear fc2_;
};

// A pre-norm layer: attention, then feedforward, each added to what it was given. `where` is nothing, or the beginnings
// of items; see Attention.
class TransformerBlock : public Module {
 public:
  TransformerBlock(int64_t dims, int64_t heads, Initialiser& init);

  template <class... Where>
  at::Tensor forward(const at::Tensor& x, const Where&... where) const {
    const at::Tensor y = x + attention_.forward(norm1_.forward(x), where...);
    return y + mlp_.forward(norm2_.forward(y));
  }
  double flops(int64_t tokens) const { return attention_.flops(tokens) + mlp_.flops(tokens); }

 private:
  LayerNorm norm1_;
  Attention attention_;
  LayerNorm norm2_;
  Feedforward mlp_;
};

}  // namespace orthant
