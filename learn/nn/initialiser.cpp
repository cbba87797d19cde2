#include "learn/nn/initialiser.h"

#include <ATen/ATen.h>

#include <cmath>

#include "orthant/core/rng.h"

namespace orthant {
namespace {

constexpr uint16_t kWeightStream = 0xff10;

}  // namespace

template <class Draw>
at::Tensor Initialiser::fill(at::IntArrayRef sizes, const Draw& draw) {
  at::Tensor tensor = at::empty(sizes, at::kFloat);
  Rng rng(StreamKey{.seed = seed_, .epoch = drawn_++, .view = kWeightStream});
  float* values = tensor.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(draw(rng));
  return tensor.requires_grad_();
}

at::Tensor Initialiser::normal(at::IntArrayRef sizes, double deviation) {
  return fill(sizes, [&](Rng& rng) { return deviation * rng.normal(); });
}

at::Tensor Initialiser::uniform(at::IntArrayRef sizes, double bound) {
  return fill(sizes, [&](Rng& rng) { return rng.uniform(-bound, bound); });
}

at::Tensor Initialiser::truncated_normal(at::IntArrayRef sizes, double deviation) {
  return fill(sizes, [&](Rng& rng) {
    double value = rng.normal();
    while (std::abs(value) > 2) value = rng.normal();
    return deviation * value;
  });
}

at::Tensor Initialiser::constant(at::IntArrayRef sizes, double value) {
  return at::full(sizes, value, at::kFloat).requires_grad_();
}

}  // namespace orthant
