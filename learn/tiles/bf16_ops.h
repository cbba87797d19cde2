#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace orthant::ops {

// std::invalid_argument if `precision`, as train.precision has it, is "bfloat16" and this machine has no AMX.
void check_precision(const std::string& precision);

// For as long as it lives, on this thread, with "bfloat16": the operands of the products of ops::conv2d()
// (learn/nn/ops.h) and linear() are rounded to bfloat16, forward and in both gradients, also where those are taken
// later; sums and everything else stay float32. Nothing changes with "float32". See check_precision().
class Bf16Scope {
 public:
  explicit Bf16Scope(const std::string& precision);
  ~Bf16Scope();
  Bf16Scope(const Bf16Scope&) = delete;
  Bf16Scope& operator=(const Bf16Scope&) = delete;

 private:
  bool before_;
};

// x [..., in], weight [out, in], bias [out] -> [..., out]. In a scope as above, where there are enough inputs;
// elsewhere LibTorch's.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Whether conv2d() is to go this way: in a scope, and with enough channels.
bool takes_bf16_conv(const at::Tensor& x, const at::Tensor& weight, int64_t padding);
// As conv2d().
at::Tensor bf16_conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding);

}  // namespace orthant::ops
