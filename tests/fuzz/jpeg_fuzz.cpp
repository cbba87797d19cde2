#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/io/jpeg.h"

// Any bytes are either refused with IoError or a picture with as many pixels as its size says.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto bytes = std::as_bytes(std::span(data, size));
    const orthant::Image image = orthant::io::decode_jpeg(bytes, "fuzz", orthant::io::kMaxImagePixels);
    const auto expected = static_cast<size_t>(image.height * image.width * image.channels);
    if (image.pixels.empty() || image.pixels.size() != expected) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
