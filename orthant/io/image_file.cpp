#include "orthant/io/image_file.h"

#include "orthant/core/error.h"
#include "orthant/io/jpeg.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/png.h"

namespace orthant::io {

bool looks_like_image(std::span<const std::byte> bytes) { return looks_like_jpeg(bytes) || looks_like_png(bytes); }

Image decode_image(std::span<const std::byte> bytes, const std::string& name) {
  if (looks_like_jpeg(bytes)) return decode_jpeg(bytes, name);
  if (looks_like_png(bytes)) return decode_png(bytes, name);
  fail_io("[", name, "] expected a JPEG or PNG picture, got ", bytes.empty() ? "an empty file" : "other content");
}

Image read_image(const std::string& path) {
  const auto file = MappedFile::open(path);
  return decode_image(file->bytes(), path);
}

}  // namespace orthant::io
