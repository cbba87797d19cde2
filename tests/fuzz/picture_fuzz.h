#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "orthant/codec/image_size.h"
#include "orthant/core/error.h"
#include "orthant/core/image.h"

namespace orthant::fuzz {

// Any bytes are either refused with IoError or a picture with as many pixels as its size says. `decode` takes bytes, a
// name and a number of pixels, as the codecs do.
template <class Decode>
int decode_or_refuse(const Decode& decode, const uint8_t* data, size_t size) {
  try {
    const Image image = decode(std::as_bytes(std::span(data, size)), "fuzz", codec::kMaxImagePixels);
    const auto expected = static_cast<size_t>(image.height * image.width * image.channels);
    if (image.pixels.empty() || image.pixels.size() != expected) std::abort();
  } catch (const IoError&) {
  }
  return 0;
}

}  // namespace orthant::fuzz
