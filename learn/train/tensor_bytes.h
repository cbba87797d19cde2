#pragma once

#include <map>
#include <string>

#include "learn/nn/tensors.h"
#include "orthant/io/safetensors.h"

namespace orthant {

// A copy of a float32 or int64 tensor's elements in row-major order, for a file.
io::Tensor to_file_tensor(const at::Tensor& tensor);

// Puts the elements back. IoError naming `name` if type or shape differ.
void from_file_tensor(const io::Tensor& source, const std::string& name, at::Tensor& tensor);

}  // namespace orthant
