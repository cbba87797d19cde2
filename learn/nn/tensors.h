#pragma once

#include <functional>
#include <string>

namespace at {
class Tensor;
}

namespace orthant {

// Called with the name and the tensor itself: assigning to the tensor's data changes the network.
using TensorVisitor = std::function<void(const std::string& name, at::Tensor& tensor)>;

// "[2, 3, 8, 8]", for messages.
std::string shape_of(const at::Tensor& tensor);

}  // namespace orthant
