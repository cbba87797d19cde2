#include "orthant/codec/bmp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "orthant/codec/image_size.h"
#include "orthant/core/error.h"

namespace orthant::codec {
namespace {

using Colour = std::array<uint8_t, 3>;

constexpr size_t kFileHeader = 14;
constexpr size_t kCoreHeader = 12;  // OS/2's
constexpr size_t kInfoHeader = 40;  // Windows', of which later ones are extensions
constexpr size_t kMasks = kFileHeader + kInfoHeader;

// Little-endian numbers at any place of the file.
struct Numbers {
  std::span<const std::byte> bytes;
  const std::string& name;

  void need(size_t end) const {
    check_io(end <= bytes.size(), "[", name, "] expected a BMP of at least ", end,
             " bytes, got one that is cut off at ", bytes.size());
  }
  uint32_t byte(size_t at) const { return std::to_integer<uint32_t>(bytes[at]); }
  uint32_t two(size_t at) const {
    need(at + 2);
    return byte(at) | byte(at + 1) << 8;
  }
  uint32_t four(size_t at) const { return two(at) | two(at + 2) << 16; }
};

struct Layout {
  int64_t width = 0;
  int64_t height = 0;
  bool bottom_up = true;
  size_t bits = 0;  // of a pixel
  size_t offset = 0;
  size_t stride = 0;
  std::vector<Colour> palette;                 // of up to 8 bits
  std::array<size_t, 3> place_of = {2, 1, 0};  // of red, green and blue among the bytes of a pixel
};

void read_palette(const Numbers& file, size_t header, Layout& layout) {
  const size_t most = size_t{1} << layout.bits;
  const size_t said = header == kCoreHeader ? 0 : file.four(46);
  check_io(said <= most, "[", file.name, "] expected at most ", most, " colours, got ", said);
  const size_t entry = header == kCoreHeader ? 3 : 4;
  const size_t begin = kFileHeader + header;
  const size_t count = said == 0 ? most : said;
  file.need(begin + count * entry);
  for (size_t i = 0; i < count; ++i) {
    const auto part = [&](size_t k) { return static_cast<uint8_t>(file.byte(begin + i * entry + k)); };
    layout.palette.push_back({part(2), part(1), part(0)});
  }
}

void read_masks(const Numbers& file, Layout& layout) {
  for (size_t c = 0; c < 3; ++c) {
    const uint32_t mask = file.four(kMasks + 4 * c);
    size_t place = 0;
    while (place < 4 && mask != 0xffU << (8 * place)) ++place;
    check_io(place < 4, "[", file.name, "] expected each colour in a byte of its own, got the mask ", mask);
    layout.place_of[c] = place;
  }
}

Layout read_layout(const Numbers& file, int64_t max_pixels) {
  Layout layout;
  const size_t header = file.four(kFileHeader);
  const bool core = header == kCoreHeader;
  check_io(core || (header >= kInfoHeader && header <= 124), "[", file.name, "] expected a BMP header of 12 or 40 to ",
           "124 bytes, got ", header);
  file.need(kFileHeader + header);
  layout.offset = file.four(10);
  layout.width = core ? int64_t{file.two(18)} : static_cast<int32_t>(file.four(18));
  layout.height = core ? int64_t{file.two(20)} : static_cast<int32_t>(file.four(22));
  layout.bottom_up = layout.height > 0;
  layout.height = std::abs(layout.height);
  check_image_size(layout.height, layout.width, max_pixels, file.name);

  layout.bits = file.two(core ? 24 : 28);
  const uint32_t compression = core ? 0 : file.four(30);
  check_io(layout.bits == 1 || layout.bits == 4 || layout.bits == 8 || layout.bits == 24 || layout.bits == 32, "[",
           file.name, "] expected 1, 4, 8, 24 or 32 bits a pixel, got ", layout.bits);
  check_io(compression == 0 || (compression == 3 && layout.bits == 32), "[", file.name,
           "] expected an uncompressed BMP, got compression ", compression);
  if (layout.bits <= 8) read_palette(file, header, layout);
  if (compression == 3) read_masks(file, layout);
  layout.stride = (static_cast<size_t>(layout.width) * layout.bits + 31) / 32 * 4;
  file.need(layout.offset + layout.stride * static_cast<size_t>(layout.height));
  return layout;
}

Colour pixel(const Numbers& file, const Layout& layout, size_t row, size_t x) {
  if (layout.bits > 8) {
    const size_t at = row + x * layout.bits / 8;
    const auto part = [&](size_t c) { return static_cast<uint8_t>(file.byte(at + layout.place_of[c])); };
    return {part(0), part(1), part(2)};
  }
  const size_t bit = x * layout.bits;
  const size_t index = file.byte(row + bit / 8) >> (8 - layout.bits - bit % 8) & ((1U << layout.bits) - 1);
  check_io(index < layout.palette.size(), "[", file.name, "] expected colours below ", layout.palette.size(), ", got ",
           index);
  return layout.palette[index];
}

}  // namespace

bool looks_like_bmp(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{'B'} && bytes[1] == std::byte{'M'};
}

Image decode_bmp(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
  check_io(looks_like_bmp(bytes), "[", name, "] expected a BMP, got other content");
  const Numbers file{bytes, name};
  const Layout layout = read_layout(file, max_pixels);
  const bool grey = !layout.palette.empty() && std::ranges::all_of(layout.palette, [](const Colour& colour) {
    return colour[0] == colour[1] && colour[0] == colour[2];
  });
  Image image(layout.height, layout.width, grey ? 1 : 3);
  auto next = image.pixels.begin();
  for (size_t y = 0; y < static_cast<size_t>(layout.height); ++y) {
    const size_t stored = layout.bottom_up ? static_cast<size_t>(layout.height) - 1 - y : y;
    const size_t row = layout.offset + stored * layout.stride;
    for (size_t x = 0; x < static_cast<size_t>(layout.width); ++x) {
      const Colour colour = pixel(file, layout, row, x);
      next = std::copy_n(colour.begin(), grey ? 1 : 3, next);
    }
  }
  return image;
}

}  // namespace orthant::codec
