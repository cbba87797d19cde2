#pragma once

namespace at {
class Tensor;
}

namespace orthant::loss {

// The rows of z [N, K], of any floating type, scaled to unit length; autograd passes through. A row not longer than
// eps becomes zero and receives no gradient.
at::Tensor unit(const at::Tensor& z, double eps);

}  // namespace orthant::loss
