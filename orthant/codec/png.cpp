#include "orthant/codec/png.h"

#include <spng.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "orthant/codec/image_size.h"
#include "orthant/codec/transparency.h"
#include "orthant/core/error.h"

namespace orthant::codec {
namespace {

struct FreeContext {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, FreeContext>;

// Deflate cannot do better than 1032:1, so a file that promises more is cut off or lies.
constexpr uint64_t kMaxDeflateRatio = 1032;

void check_data(const spng_ihdr& header, size_t file_bytes, const std::string& name) {
  const uint64_t samples = header.color_type == SPNG_COLOR_TYPE_TRUECOLOR         ? 3
                           : header.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
                           : header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ? 2
                                                                                  : 1;
  const uint64_t raw = header.height * (uint64_t{header.width} * samples * header.bit_depth / 8);
  check_io(raw <= file_bytes * kMaxDeflateRatio, "[", name, "] expected data for ", header.width, " x ", header.height,
           " pixels, got only ", file_bytes, " bytes");
}

}  // namespace

bool looks_like_png(std::span<const std::byte> bytes) {
  constexpr std::string_view kMagic = "\x89PNG\r\n\x1a\n";
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kMagic);
}

Image decode_png(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
  const Context context(spng_ctx_new(0));
  check_io(context != nullptr, "[", name, "] expected memory to decode, got none");
  const auto must = [&](int status) {
    check_io(status == SPNG_OK, "[", name, "] expected an intact PNG, got: ", spng_strerror(status));
  };
  constexpr size_t kMaxChunk = size_t{16} << 20;
  must(spng_set_image_limits(context.get(), kMaxImageSide, kMaxImageSide));
  must(spng_set_chunk_limits(context.get(), kMaxChunk, 4 * kMaxChunk));
  must(spng_set_png_buffer(context.get(), bytes.data(), bytes.size()));
  spng_ihdr header = {};
  must(spng_get_ihdr(context.get(), &header));
  check_image_size(header.height, header.width, max_pixels, name);
  check_data(header, bytes.size(), name);

  spng_trns transparency = {};
  const bool grey =
      header.color_type == SPNG_COLOR_TYPE_GRAYSCALE || header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
  const bool alpha = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                     header.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ||
                     spng_get_trns(context.get(), &transparency) == SPNG_OK;
  const int64_t colours = grey ? 1 : 3;
  const auto decode = [&](std::span<uint8_t> pixels, int format) {
    must(spng_decode_image(context.get(), pixels.data(), pixels.size(), format, SPNG_DECODE_TRNS));
    must(spng_decode_chunks(context.get()));  // a file that is cut off behind the pixels is cut off
  };
  // libspng makes grey bytes of up to 8 bits only.
  if (!alpha && !(grey && header.bit_depth > 8)) {
    Image image(header.height, header.width, colours);
    decode(image.pixels, grey ? SPNG_FMT_G8 : SPNG_FMT_RGB8);
    return image;
  }
  std::vector<uint8_t> rgba(size_t{4} * header.width * header.height);
  decode(rgba, SPNG_FMT_RGBA8);
  return on_white(rgba, header.height, header.width, colours);
}

std::string encode_png(const Image& image) {
  check(image.height > 0 && image.width > 0 && image.height <= kMaxImageSide && image.width <= kMaxImageSide &&
            (image.channels == 1 || image.channels == 3),
        "[png] expected a picture of 1 or 3 channels and up to ", kMaxImageSide, " a side, got ", image.height, " x ",
        image.width, " x ", image.channels);
  check(static_cast<int64_t>(image.pixels.size()) == image.height * image.width * image.channels,
        "[png] expected as many pixels as height x width x channels, got ", image.pixels.size());
  const Context context(spng_ctx_new(SPNG_CTX_ENCODER));
  check_io(context != nullptr, "[png] expected memory to encode, got none");
  const auto must = [](int status) {
    check_io(status == SPNG_OK, "[png] expected to encode, got: ", spng_strerror(status));
  };
  spng_ihdr header = {};
  header.width = static_cast<uint32_t>(image.width);
  header.height = static_cast<uint32_t>(image.height);
  header.bit_depth = 8;
  header.color_type = image.channels == 1 ? SPNG_COLOR_TYPE_GRAYSCALE : SPNG_COLOR_TYPE_TRUECOLOR;
  must(spng_set_ihdr(context.get(), &header));
  must(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  must(spng_encode_image(context.get(), image.pixels.data(), image.pixels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE));
  size_t length = 0;
  int error = 0;
  const std::unique_ptr<void, decltype(&std::free)> encoded(spng_get_png_buffer(context.get(), &length, &error),
                                                            &std::free);
  must(error);
  return {static_cast<const char*>(encoded.get()), length};
}

}  // namespace orthant::codec
