#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/gzip.h"

// Any bytes are either refused with IoError or decompressed to no more than the limit.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kLimit = size_t{1} << 16;
  try {
    if (orthant::io::gunzip(std::as_bytes(std::span(data, size)), "fuzz", kLimit).size() > kLimit) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
