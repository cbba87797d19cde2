#include "orthant/codec/jpeg.h"
#include "picture_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return orthant::fuzz::decode_or_refuse(orthant::codec::decode_jpeg, data, size);
}
