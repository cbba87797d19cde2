#include <cstddef>
#include <cstdint>
#include <span>

#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/exchange/csr_file.h"

// Any bytes are refused with IoError or give a valid matrix of finite values.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const orthant::Embeddings read = orthant::exchange::parse_csr(std::as_bytes(std::span(data, size)), "fuzz.csr");
    read.validate();
    orthant::check_finite(read, "fuzz.csr");
  } catch (const orthant::IoError&) {
  }
  return 0;
}
