#include "learn/train/optimiser_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orthant {

double l2_norm(std::span<const float> values) {
  constexpr size_t kLanes = 8;  // independent sums, so that the compiler can keep them in registers
  double sums[kLanes] = {};
  const size_t whole = values.size() - values.size() % kLanes;
  for (size_t i = 0; i < whole; i += kLanes) {
    for (size_t k = 0; k < kLanes; ++k) sums[k] += static_cast<double>(values[i + k]) * values[i + k];
  }
  for (size_t i = whole; i < values.size(); ++i) sums[0] += static_cast<double>(values[i]) * values[i];
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

void momentum_step(std::span<float> weights, std::span<const float> gradient, std::span<float> buffer,
                   const MomentumStep& step) {
  for (size_t i = 0; i < weights.size(); ++i) {
    buffer[i] = step.momentum * buffer[i] + step.scale * (gradient[i] + step.decay * weights[i]);
    weights[i] -= step.rate * buffer[i];
  }
}

void adam_step(std::span<float> weights, std::span<const float> gradient, std::span<float> first,
               std::span<float> second, const AdamStep& step) {
  const float keep = 1 - step.rate * step.decay;
  const float rate = step.rate / step.correction1;
  const float root = 1 / std::sqrt(step.correction2);
  for (size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i];
    first[i] = step.beta1 * first[i] + (1 - step.beta1) * g;
    second[i] = step.beta2 * second[i] + (1 - step.beta2) * g * g;
    weights[i] = weights[i] * keep - rate * first[i] / (std::sqrt(second[i]) * root + step.epsilon);
  }
}

double lars_scale(double weight_norm, double gradient_norm, double rate, double decay, double eta, bool clip) {
  if (weight_norm == 0 || gradient_norm == 0) return 1;
  const double scale = eta * weight_norm / (gradient_norm + decay * weight_norm + 1e-8);
  return clip ? std::min(scale / rate, 1.0) : scale;
}

}  // namespace orthant
