#include "learn/nn/transformer.h"

#include <ATen/ATen.h>

#include <cmath>

#include "learn/nn/ops.h"

namespace orthant {
namespace {

constexpr auto kStart = Linear::Start::transformer;

}  // namespace

Attention::Attention(int64_t dims, int64_t heads, Initialiser& init)
    : dims_(dims), heads_(heads), qkv_(dims, 3 * dims, init, kStart), proj_(dims, dims, init, kStart) {
  part("qkv", qkv_);
  part("proj", proj_);
}

at::Tensor Attention::forward(const at::Tensor& x) const {
  const int64_t n = x.size(0);
  const int64_t t = x.size(1);
  const int64_t head = dims_ / heads_;
  const auto parts = qkv_.forward(x).view({n, t, 3, heads_, head}).permute({2, 0, 3, 1, 4}).unbind(0);
  const double scale = 1 / std::sqrt(static_cast<double>(head));
  const at::Tensor weights = at::softmax(at::matmul(parts[0] * scale, parts[1].transpose(-2, -1)), -1);
  return proj_.forward(at::matmul(weights, parts[2]).transpose(1, 2).reshape({n, t, dims_}));
}

at::Tensor Attention::forward(const at::Tensor& x, const at::Tensor& begins) const {
  return proj_.forward(ops::segment_attention(qkv_.forward(x), begins, heads_));
}

double Attention::flops(int64_t tokens) const {
  const auto t = static_cast<double>(tokens);
  return t * (qkv_.flops() + proj_.flops()) + 4 * t * t * static_cast<double>(dims_);
}

Feedforward::Feedforward(int64_t dims, Initialiser& init)
    : fc1_(dims, 4 * dims, init, kStart), fc2_(4 * dims, dims, init, kStart) {
  part("fc1", fc1_);
  part("fc2", fc2_);
}

at::Tensor Feedforward::forward(const at::Tensor& x) const { return fc2_.forward(at::gelu(fc1_.forward(x))); }

double Feedforward::flops(int64_t tokens) const { return static_cast<double>(tokens) * (fc1_.flops() + fc2_.flops()); }

TransformerBlock::TransformerBlock(int64_t dims, int64_t heads, Initialiser& init)
    : norm1_(dims), attention_(dims, heads, init), norm2_(dims), mlp_(dims, init) {
  part("norm1", norm1_);
  part("attn", attention_);
  part("norm2", norm2_);
  part("mlp", mlp_);
}

}  // namespace orthant
