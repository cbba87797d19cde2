#include "orthant/io/image_file.h"

#include <new>

#include "orthant/codec/bmp.h"
#include "orthant/codec/jpeg.h"
#include "orthant/codec/netpbm.h"
#include "orthant/codec/png.h"
#include "orthant/codec/webp.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/mapped_file.h"

namespace orthant::io {
namespace {

struct Format {
  bool (*looks_like)(std::span<const std::byte> bytes);
  Image (*decode)(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);
};

// Every kind but JPEG, which may be decoded to less than its size.
constexpr Format kFormats[] = {{codec::looks_like_png, codec::decode_png},
                               {codec::looks_like_webp, codec::decode_webp},
                               {codec::looks_like_bmp, codec::decode_bmp},
                               {codec::looks_like_netpbm, codec::decode_netpbm}};

}  // namespace

bool looks_like_image(std::span<const std::byte> bytes) {
  for (const Format& format : kFormats) {
    if (format.looks_like(bytes)) return true;
  }
  return codec::looks_like_jpeg(bytes);
}

Image decode_image(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels, int64_t least_side) {
  if (codec::looks_like_jpeg(bytes)) return codec::decode_jpeg(bytes, name, max_pixels, least_side);
  for (const Format& format : kFormats) {
    if (!format.looks_like(bytes)) continue;
    try {
      return format.decode(bytes, name, max_pixels);
    } catch (const std::bad_alloc&) {
      fail_io("[", name, "] expected memory for its pixels, got: out of memory");
    }
  }
  fail_io("[", name, "] expected a JPEG, PNG, WebP, BMP, PGM or PPM picture, got ",
          bytes.empty() ? "an empty file" : "other content");
}

Image read_image(const std::string& path, int64_t least_side) {
  const auto file = MappedFile::open(path);
  return decode_image(file->bytes(), path, kMaxImagePixels, least_side);
}

void verify_image(std::span<const std::byte> bytes, const std::string& name) {
  if (codec::looks_like_jpeg(bytes)) return codec::verify_jpeg(bytes, name);
  decode_image(bytes, name);
}

std::string encode_png(const Image& image) { return codec::encode_png(image); }

void write_png(const std::string& path, const Image& image) { write_file(path, encode_png(image)); }

std::vector<std::byte> encode_jpeg(const Image& image, int quality) { return codec::encode_jpeg(image, quality); }

}  // namespace orthant::io
