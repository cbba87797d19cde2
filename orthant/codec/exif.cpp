#include "orthant/codec/exif.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace orthant::codec {
namespace {

// Reads numbers of a TIFF structure; nothing beyond its end.
struct Tiff {
  std::span<const std::byte> bytes;
  bool big_endian = false;

  std::optional<size_t> number(size_t offset, size_t count) const {
    if (offset > bytes.size() || count > bytes.size() - offset) return std::nullopt;
    size_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = big_endian ? offset + i : offset + count - 1 - i;
      value = value << 8 | static_cast<size_t>(bytes[at]);
    }
    return value;
  }
};

}  // namespace

int exif_orientation(std::span<const std::byte> segment) {
  using namespace std::string_view_literals;
  constexpr size_t kOrientationTag = 0x0112, kShort = 3, kEntryBytes = 12;
  const std::string_view text(reinterpret_cast<const char*>(segment.data()), segment.size());
  if (!text.starts_with("Exif\0\0"sv)) return 1;
  Tiff tiff{segment.subspan(6)};
  if (text.substr(6).starts_with("MM\0*"sv)) {
    tiff.big_endian = true;
  } else if (!text.substr(6).starts_with("II*\0"sv)) {
    return 1;
  }
  const auto directory = tiff.number(4, 4);
  const auto entries = directory ? tiff.number(*directory, 2) : std::nullopt;
  for (size_t i = 0; entries && i < *entries; ++i) {
    const size_t entry = *directory + 2 + i * kEntryBytes;
    if (tiff.number(entry, 2) != kOrientationTag) continue;
    const auto value = tiff.number(entry + 8, 2);
    const bool valid = tiff.number(entry + 2, 2) == kShort && value && *value >= 1 && *value <= 8;
    return valid ? static_cast<int>(*value) : 1;
  }
  return 1;
}

Image upright(Image image, int orientation) {
  if (orientation == 1) return image;
  // Orientations 5 to 8 swap the axes. The stored pixel of an upright one is found by swapping, then mirroring.
  const bool swaps = orientation >= 5;
  const bool mirrors_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool mirrors_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image result(swaps ? image.width : image.height, swaps ? image.height : image.width, image.channels);
  for (int64_t y = 0; y < result.height; ++y) {
    for (int64_t x = 0; x < result.width; ++x) {
      const int64_t from_x = swaps ? y : x;
      const int64_t from_y = swaps ? x : y;
      const auto pixel = std::as_const(image).at(mirrors_y ? image.height - 1 - from_y : from_y,
                                                 mirrors_x ? image.width - 1 - from_x : from_x);
      std::ranges::copy(pixel, result.at(y, x).begin());
    }
  }
  return result;
}

}  // namespace orthant::codec
