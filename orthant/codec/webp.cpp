#include "orthant/codec/webp.h"

#include <webp/decode.h>

#include <string_view>
#include <vector>

#include "orthant/codec/image_size.h"
#include "orthant/codec/transparency.h"
#include "orthant/core/error.h"

namespace orthant::codec {
namespace {

// A lossless file of one colour is a few dozen bytes at any size; beyond 2048 x 2048 it has to say a little more.
constexpr int64_t kMaxUncheckedPixels = int64_t{1} << 22;
constexpr int64_t kMaxPixelsPerByte = 4096;

const char* reason(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
      return "one that is cut off";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "one with an unknown feature";
    case VP8_STATUS_OUT_OF_MEMORY:
      return "no memory for it";
    default:
      return "one that is damaged";
  }
}

}  // namespace

bool looks_like_webp(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.size() >= 12 && text.starts_with("RIFF") && text.substr(8, 4) == "WEBP";
}

Image decode_webp(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  WebPDecoderConfig config;
  check_io(WebPInitDecoderConfig(&config) != 0, "[", name, "] expected the libwebp this was built with, got another");
  const auto must = [&name](VP8StatusCode status) {
    check_io(status == VP8_STATUS_OK, "[", name, "] expected an intact WebP, got ", reason(status));
  };
  must(WebPGetFeatures(data, bytes.size(), &config.input));
  check_io(config.input.has_animation == 0, "[", name, "] expected a still WebP, got an animation");
  const int64_t height = config.input.height;
  const int64_t width = config.input.width;
  check_image_size(height, width, max_pixels, name);
  check_io(
      height * width <= kMaxUncheckedPixels || height * width / kMaxPixelsPerByte <= static_cast<int64_t>(bytes.size()),
      "[", name, "] expected data for ", width, " x ", height, " pixels, got only ", bytes.size(), " bytes");

  const bool alpha = config.input.has_alpha != 0;
  std::vector<uint8_t> pixels(static_cast<size_t>(height * width * (alpha ? 4 : 3)));
  config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {pixels.data(), static_cast<int>(width * (alpha ? 4 : 3)), pixels.size()};
  must(WebPDecode(data, bytes.size(), &config));
  if (alpha) return on_white(pixels, height, width, 3);
  Image image;
  image.height = height;
  image.width = width;
  image.channels = 3;
  image.pixels = std::move(pixels);
  return image;
}

}  // namespace orthant::codec
