#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"

// Any bytes are either refused with IoError or an array of exactly the elements its shape says, all readable.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const orthant::io::Array array = orthant::io::parse_npy(std::as_bytes(std::span(data, size)), "fuzz", nullptr);
    int64_t expected = 1;
    for (const int64_t side : array.shape) expected *= side;
    if (expected != array.size()) std::abort();
    volatile unsigned sum = 0;
    for (const std::byte byte : array.bytes) sum = sum + std::to_integer<unsigned>(byte);
  } catch (const orthant::IoError&) {
  }
  return 0;
}
