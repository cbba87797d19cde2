#include "orthant/codec/jpeg.h"
#include "picture_fuzz.h"

// At its own size, and as small as it is decoded.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const int64_t least_side : {0, 1}) {
    const auto decode = [least_side](std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
      return orthant::codec::decode_jpeg(bytes, name, max_pixels, least_side);
    };
    orthant::fuzz::decode_or_refuse(decode, data, size);
  }
  return 0;
}
