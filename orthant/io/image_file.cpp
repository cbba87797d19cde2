#include "orthant/io/image_file.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/io/jpeg.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/png.h"

namespace orthant::io {

bool looks_like_image(std::span<const std::byte> bytes) { return looks_like_jpeg(bytes) || looks_like_png(bytes); }

void check_image_size(int64_t height, int64_t width, int64_t max_pixels, const std::string& name) {
  const int64_t most = std::min(max_pixels, kMaxImagePixels);
  check_io(height <= kMaxImageSide && width <= kMaxImageSide && height * width <= most, "[", name,
           "] expected at most ", most, " pixels and ", kMaxImageSide, " a side, got ", width, " x ", height);
}

Image decode_image(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
  if (looks_like_jpeg(bytes)) return decode_jpeg(bytes, name, max_pixels);
  if (looks_like_png(bytes)) return decode_png(bytes, name, max_pixels);
  fail_io("[", name, "] expected a JPEG or PNG picture, got ", bytes.empty() ? "an empty file" : "other content");
}

Image read_image(const std::string& path) {
  const auto file = MappedFile::open(path);
  return decode_image(file->bytes(), path);
}

}  // namespace orthant::io
