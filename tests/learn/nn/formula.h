#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "learn/nn/encoder.h"

namespace orthant {

// Numbers in [-1, 1) that look random and are the same in any language.
inline double noise(int64_t i, int64_t phase) {
  const double value = std::sin(12.9898 * static_cast<double>(i) + static_cast<double>(phase)) * 43758.5453;
  return 2 * (value - std::floor(value)) - 1;
}

// The values that tests/golden/learn/nn_golden.py gives to a tensor of a network, by its name.
inline void set_formula(const std::string& name, at::Tensor& tensor) {
  if (tensor.scalar_type() != at::kFloat) return;
  int64_t phase = 0;
  for (size_t i = 0; i < name.size(); ++i) phase += static_cast<int64_t>(i + 1) * static_cast<int64_t>(name[i]);
  phase %= 1000;
  float* values = tensor.data_ptr<float>();
  const double fan = tensor.dim() > 1 ? static_cast<double>(tensor.numel() / tensor.size(0)) : 1;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    double wave = noise(i, phase);
    if (name.ends_with("running_var")) {
      wave = 1 + 0.5 * wave;
    } else if (name.ends_with("running_mean") || name.ends_with("bias")) {
      wave *= 0.1;
    } else if (tensor.dim() == 1) {
      wave = 1 + 0.1 * wave;
    } else {
      wave *= std::sqrt(6 / fan);
    }
    values[i] = static_cast<float>(wave);
  }
}

inline void set_formula(Encoder& encoder) {
  const TensorVisitor set = [](const std::string& name, at::Tensor& tensor) { set_formula(name, tensor); };
  encoder.visit_parameters(set);
  encoder.visit_buffers(set);
}

// The input of the same script.
inline at::Tensor picture(at::IntArrayRef shape) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  float* values = tensor.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(noise(i, 0));
  return tensor;
}

inline double relative_error(const at::Tensor& got, const at::Tensor& expected) {
  return ((got - expected).norm() / expected.norm()).item<double>();
}

}  // namespace orthant
