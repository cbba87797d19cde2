#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/gzip.h"
#include "orthant/sources/idx.h"

// Any bytes are either refused with IoError or an array whose every byte can be read, plain and gzipped.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto parse = [](std::span<const std::byte> input) {
    const orthant::IdxArray array = orthant::parse_idx(input, "fuzz", nullptr);
    int64_t expected = 1;
    for (const int64_t side : array.shape) expected *= side;
    if (expected != static_cast<int64_t>(array.bytes.size())) std::abort();
    volatile unsigned sum = 0;
    for (const std::byte byte : array.bytes) sum = sum + std::to_integer<unsigned>(byte);
  };
  try {
    if (orthant::io::looks_like_gzip(bytes)) {
      parse(orthant::io::gunzip(bytes, "fuzz", size_t{1} << 20));
    } else {
      parse(bytes);
    }
  } catch (const orthant::IoError&) {
  }
  return 0;
}
