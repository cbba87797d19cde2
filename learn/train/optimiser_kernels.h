#pragma once

#include <span>

namespace orthant {

// One optimiser step over one parameter, in a single pass over its elements. `weights`, `gradient` and the state are of
// equal length; nothing is allocated; one call uses one thread.

// Square root of the sum of squares, summed in double.
double l2_norm(std::span<const float> values);

// buffer <- momentum * buffer + scale * (gradient + decay * weights); weights <- weights - rate * buffer
struct MomentumStep {
  float rate = 0;
  float momentum = 0;
  float decay = 0;
  float scale = 1;
};
void momentum_step(std::span<float> weights, std::span<const float> gradient, std::span<float> buffer,
                   const MomentumStep& step);

// AdamW (Loshchilov and Hutter): decay of the weights apart from the gradient.
//   weights <- weights * (1 - rate * decay)
//   first <- beta1 * first + (1 - beta1) * gradient; second <- beta2 * second + (1 - beta2) * gradient^2
//   weights <- weights - rate / correction1 * first / (sqrt(second / correction2) + epsilon)
struct AdamStep {
  float rate = 0;
  float decay = 0;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float correction1 = 1;  // 1 - beta1^t
  float correction2 = 1;  // 1 - beta2^t
};
void adam_step(std::span<float> weights, std::span<const float> gradient, std::span<float> first,
               std::span<float> second, const AdamStep& step);

// The local rate of LARS for one parameter: eta |w| / (|g| + decay |w| + 1e-8), or 1 where a norm is zero; with
// `clip`, min(that / rate, 1).
double lars_scale(double weight_norm, double gradient_norm, double rate, double decay, double eta, bool clip);

}  // namespace orthant
