#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace orthant {

// Draws the first values of parameters, each tensor from a stream of its own: keyed by the seed and by how many were
// drawn before it. All results are float32 and require gradients.
class Initialiser {
 public:
  explicit Initialiser(uint64_t seed) : seed_(seed) {}

  at::Tensor normal(at::IntArrayRef sizes, double deviation);
  at::Tensor uniform(at::IntArrayRef sizes, double bound);  // in [-bound, bound)
  // Normal, redrawn outside of two deviations.
  at::Tensor truncated_normal(at::IntArrayRef sizes, double deviation);
  static at::Tensor constant(at::IntArrayRef sizes, double value);

 private:
  template <class Draw>
  at::Tensor fill(at::IntArrayRef sizes, const Draw& draw);

  uint64_t seed_;
  uint32_t drawn_ = 0;
};

}  // namespace orthant
