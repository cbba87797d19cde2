#pragma once

namespace at {
class Tensor;
}

namespace orthant::loss {

// A scalar of this value, connected to z by autograd, whose gradient with respect to z is known already: [same as z].
at::Tensor with_known_gradient(const at::Tensor& z, double value, const at::Tensor& gradient);

}  // namespace orthant::loss
