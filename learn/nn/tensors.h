#pragma once

#include <functional>
#include <string>

namespace at {
class Tensor;
}

namespace orthant {

// Called with the name and the tensor itself: assigning to the tensor's data changes the network.
using TensorVisitor = std::function<void(const std::string& name, at::Tensor& tensor)>;

}  // namespace orthant
