#include "learn/nn/tensors.h"

#include <ATen/ATen.h>

namespace orthant {

std::string shape_of(const at::Tensor& tensor) {
  std::string text = "[";
  for (const int64_t side : tensor.sizes()) text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + "]";
}

}  // namespace orthant
