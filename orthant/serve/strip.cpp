#include "orthant/serve/strip.h"

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/views/resize.h"

namespace orthant::serve {
namespace {

constexpr uint8_t kGrey = 128;

struct Cell {
  int64_t height = kVaryingCell;
  int64_t width = kVaryingCell;
};

// The largest size of these proportions that fits into the cell, not beyond the picture's own.
Cell fitted(int64_t height, int64_t width, const Cell& cell) {
  if (height <= cell.height && width <= cell.width) return {height, width};
  if (width * cell.height > height * cell.width) return {std::max<int64_t>(1, height * cell.width / width), cell.width};
  return {cell.height, std::max<int64_t>(1, width * cell.height / height)};
}

Cell cell_of(const DatasetInfo& info) {
  if (info.height == 0 || info.width == 0) return {};
  return fitted(info.height, info.width, {kLargestCell, kLargestCell});
}

void place(const Image& picture, const Cell& cell, int64_t left, Image& strip) {
  const int64_t top = (cell.height - picture.height) / 2;
  left += (cell.width - picture.width) / 2;
  for (int64_t y = 0; y < picture.height; ++y) {
    for (int64_t x = 0; x < picture.width; ++x) {
      const auto from = picture.at(y, x);
      const auto to = strip.at(top + y, left + x);
      for (size_t c = 0; c < to.size(); ++c) to[c] = from[from.size() == 1 ? 0 : c];
    }
  }
}

}  // namespace

Image picture_strip(const catalogue::Items& items, std::span<const int64_t> wanted) {
  check(items.pictures != nullptr, "[pictures] expected items with pictures, got items without");
  check(!wanted.empty() && std::ssize(wanted) <= kMostInStrip, "[pictures] expected 1 to ", kMostInStrip,
        " items, got ", wanted.size());
  const DatasetInfo& info = items.pictures->info();
  const Cell cell = cell_of(info);
  const int64_t channels = info.channels == 1 ? 1 : 3;
  Image strip(cell.height, cell.width * std::ssize(wanted), channels, kGrey);
  int64_t left = 0;
  for (const int64_t item : wanted) {
    check(item >= 0 && item < items.size(), "[pictures] expected items 0 to ", items.size() - 1, ", got ", item);
    Image picture = items.pictures->image(items.rows[static_cast<size_t>(item)]);
    const Cell size = fitted(picture.height, picture.width, cell);
    if (size.height != picture.height || size.width != picture.width) {
      picture = views::resize(picture, size.height, size.width);
    }
    check_io(picture.channels == 1 || channels == 3, "[pictures] expected grey pictures, got one in colour");
    place(picture, cell, left, strip);
    left += cell.width;
  }
  return strip;
}

}  // namespace orthant::serve
