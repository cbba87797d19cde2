#pragma once

#include "orthant/run/activation_options.h"

namespace at {
class Tensor;
}

namespace orthant {

// sigma+(z), elementwise except topk, which works on the last dimension. `blend` in [0, 1] mixes it in during a
// warm-up: (1 - blend) z + blend sigma+(z), value and gradient; 1 is sigma+ itself and 0 is z.
// z is of any shape and floating type; autograd passes through. std::invalid_argument for a name that is not listed,
// a topk outside 1 .. K, a blend outside [0, 1].
at::Tensor nonneg(const at::Tensor& z, const ActivationOptions& options = {}, double blend = 1);

// Whether the map never gives a negative value. std::invalid_argument for a name that is not listed.
bool is_nonnegative(const ActivationOptions& options);

}  // namespace orthant
