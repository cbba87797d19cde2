#include "orthant/codec/image_size.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::codec {

void check_image_size(int64_t height, int64_t width, int64_t max_pixels, const std::string& name) {
  check_io(height > 0 && width > 0, "[", name, "] expected a picture, got ", width, " x ", height, " pixels");
  const int64_t most = std::min(max_pixels, kMaxImagePixels);
  check_io(height <= kMaxImageSide && width <= kMaxImageSide && height * width <= most, "[", name,
           "] expected at most ", most, " pixels and ", kMaxImageSide, " a side, got ", width, " x ", height);
}

}  // namespace orthant::codec
