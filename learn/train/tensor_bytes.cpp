#include "learn/train/tensor_bytes.h"

#include <ATen/ATen.h>

#include <cstring>

#include "orthant/core/error.h"

namespace orthant {
namespace {

const char* type_name(const at::Tensor& tensor, const std::string& name) {
  check(tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kLong,
        "[checkpoint] expected float32 or int64, got another type for ", name);
  return tensor.scalar_type() == at::kFloat ? "F32" : "I64";
}

}  // namespace

io::Tensor to_file_tensor(const at::Tensor& tensor) {
  const auto copy = std::make_shared<at::Tensor>(tensor.detach().clone(at::MemoryFormat::Contiguous));
  io::Tensor file;
  file.dtype = type_name(*copy, "a tensor");
  file.shape = copy->sizes().vec();
  file.bytes = {static_cast<const std::byte*>(copy->data_ptr()), static_cast<size_t>(copy->nbytes())};
  file.owner = copy;
  return file;
}

void from_file_tensor(const io::Tensor& source, const std::string& name, at::Tensor& tensor) {
  check_io(source.dtype == type_name(tensor, name) && source.shape == tensor.sizes().vec(),
           "[checkpoint] expected another shape or type of ", name, ": it belongs to a different network");
  const at::NoGradGuard no_gradients;
  at::Tensor copy = at::empty(tensor.sizes(), tensor.scalar_type());
  std::memcpy(copy.data_ptr(), source.bytes.data(), source.bytes.size());
  tensor.detach().copy_(copy);
}

}  // namespace orthant
