#include "learn/task/task.h"

namespace orthant {

TensorVisitor with_prefix(const std::string& prefix, const TensorVisitor& visit) {
  return [prefix, &visit](const std::string& name, at::Tensor& tensor) { visit(prefix + name, tensor); };
}

}  // namespace orthant
