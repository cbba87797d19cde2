#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"

// Any bytes are either refused with IoError or tensors that lie within them and together cover what is not header.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto owner = std::make_shared<const int>();
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto file = orthant::io::SafeTensors::parse(bytes, "fuzz", owner);
    size_t covered = 0;
    for (const std::string& name : file.names()) {
      const orthant::io::Tensor& tensor = file.tensor(name);
      covered += tensor.bytes.size();
      volatile unsigned sum = 0;
      for (const std::byte byte : tensor.bytes) sum = sum + std::to_integer<unsigned>(byte);
      try {
        tensor.array(name);
        tensor.to_floats(name);
      } catch (const orthant::IoError&) {
      }
    }
    if (covered > size) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
