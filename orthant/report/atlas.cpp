#include "orthant/report/atlas.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/image_file.h"
#include "orthant/views/resize.h"

namespace orthant::report {
namespace {

constexpr int64_t kBlock = 16;
constexpr int64_t kMostPerRow = 32;
constexpr int64_t kSheetSide = 2048;
constexpr int64_t kVaryingSide = 64;
constexpr uint8_t kGrey = 128;

int64_t rounded_up(int64_t side) { return (side + kBlock - 1) / kBlock * kBlock; }

// The size at which the longer side is `most`, neither side below one pixel.
void shrink(int64_t most, int64_t& width, int64_t& height) {
  const int64_t longer = std::max(width, height);
  if (longer <= most) return;
  width = std::max<int64_t>(1, (width * most + longer / 2) / longer);
  height = std::max<int64_t>(1, (height * most + longer / 2) / longer);
}

Atlas plan(const DatasetInfo& info, const AtlasOptions& options) {
  Atlas atlas;
  const bool varying = info.width == 0 || info.height == 0 || info.channels == 0;
  atlas.width = varying ? kVaryingSide : info.width;
  atlas.height = varying ? kVaryingSide : info.height;
  atlas.channels = varying ? 3 : info.channels;
  if (options.max_side > 0) shrink(options.max_side, atlas.width, atlas.height);
  atlas.tile_width = rounded_up(atlas.width);
  atlas.tile_height = rounded_up(atlas.height);
  const int64_t side = std::max(atlas.tile_width, atlas.tile_height);
  atlas.per_row = std::clamp<int64_t>(kSheetSide / side, 1, kMostPerRow);
  atlas.per_sheet = atlas.per_row * atlas.per_row;
  atlas.format = options.format;
  return atlas;
}

Image in_colour(const Image& grey) {
  Image colour(grey.height, grey.width, 3);
  for (size_t p = 0; p < grey.pixels.size(); ++p)
    std::fill_n(colour.pixels.begin() + 3 * static_cast<ptrdiff_t>(p), 3, grey.pixels[p]);
  return colour;
}

// The picture at the size of the atlas.
Image fitted(Image picture, const Atlas& atlas) {
  if (picture.channels == 1 && atlas.channels == 3) picture = in_colour(picture);
  int64_t width = picture.width;
  int64_t height = picture.height;
  if (width == atlas.width && height == atlas.height) return picture;
  if (width * atlas.height > height * atlas.width) {
    height = std::max<int64_t>(1, (height * atlas.width + width / 2) / width);
    width = atlas.width;
  } else {
    width = std::max<int64_t>(1, (width * atlas.height + height / 2) / height);
    height = atlas.height;
  }
  width = std::min(width, atlas.width);
  height = std::min(height, atlas.height);
  if (width != picture.width || height != picture.height) picture = views::resize(picture, height, width);
  if (width == atlas.width && height == atlas.height) return picture;
  Image centred(atlas.height, atlas.width, atlas.channels, kGrey);
  const int64_t top = (atlas.height - height) / 2;
  const int64_t left = (atlas.width - width) / 2;
  for (int64_t y = 0; y < height; ++y) {
    std::copy_n(picture.at(y, 0).data(), width * atlas.channels, centred.at(top + y, left).data());
  }
  return centred;
}

void place(const Image& picture, int64_t top, int64_t left, const Atlas& atlas, Image& sheet) {
  for (int64_t y = 0; y < atlas.tile_height; ++y) {
    const int64_t from = std::min(y, picture.height - 1);
    std::copy_n(picture.at(from, 0).data(), picture.width * picture.channels, sheet.at(top + y, left).data());
    const auto edge = picture.at(from, picture.width - 1);
    for (int64_t x = picture.width; x < atlas.tile_width; ++x) {
      std::ranges::copy(edge, sheet.at(top + y, left + x).data());
    }
  }
}

std::vector<std::byte> encoded(const Image& sheet, const AtlasOptions& options) {
  if (options.format == "jpeg") return io::encode_jpeg(sheet, options.quality);
  const std::string png = io::encode_png(sheet);
  const auto bytes = std::as_bytes(std::span(png));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> make_sheet(const Dataset& pictures, std::span<const int64_t> rows, const Atlas& atlas,
                                  const AtlasOptions& options) {
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t across = std::min(count, atlas.per_row);
  const int64_t down = (count + atlas.per_row - 1) / atlas.per_row;
  Image sheet(down * atlas.tile_height, across * atlas.tile_width, atlas.channels, kGrey);
  parallel_for(count, 16, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Image picture = fitted(pictures.image(rows[static_cast<size_t>(i)]), atlas);
      check(picture.channels == atlas.channels, "[atlas] expected pictures of ", atlas.channels, " channels, got ",
            picture.channels);
      place(picture, i / atlas.per_row * atlas.tile_height, i % atlas.per_row * atlas.tile_width, atlas, sheet);
    }
  });
  return encoded(sheet, options);
}

void check_options(const Dataset& pictures, std::span<const int64_t> rows, const AtlasOptions& options) {
  check(pictures.info().dims == 0, "[atlas] expected a data set of pictures, got vectors");
  check(!rows.empty(), "[atlas] expected at least one item, got none");
  check(options.format == "png" || options.format == "jpeg", "[atlas] expected the format png or jpeg, got ",
        options.format);
  check(options.quality >= 1 && options.quality <= 100, "[atlas] expected a quality from 1 to 100, got ",
        options.quality);
  check(options.max_side >= 0, "[atlas] expected a side of 0 or more pixels, got ", options.max_side);
}

}  // namespace

int64_t Atlas::bytes() const {
  int64_t sum = 0;
  for (const auto& sheet : sheets) sum += static_cast<int64_t>(sheet.size());
  return sum;
}

std::optional<Atlas> make_atlas(const Dataset& pictures, std::span<const int64_t> rows, const AtlasOptions& options) {
  check_options(pictures, rows, options);
  Atlas atlas = plan(pictures.info(), options);
  const auto count = static_cast<int64_t>(rows.size());
  // Sheets in rounds of one for each thread: the encoders work side by side, and progress is told in between.
  const int64_t sheets = (count + atlas.per_sheet - 1) / atlas.per_sheet;
  const int64_t round = std::min<int64_t>(sheets, resolve_threads(options.threads));
  atlas.sheets.resize(static_cast<size_t>(sheets));
  int64_t bytes = 0;
  for (int64_t first = 0; first < sheets; first += round) {
    const int64_t last = std::min(sheets, first + round);
    parallel_for(last - first, 1, options.threads, [&](int64_t begin, int64_t end) {
      for (int64_t s = first + begin; s < first + end; ++s) {
        const auto from = static_cast<size_t>(s * atlas.per_sheet);
        const size_t size = std::min(rows.size() - from, static_cast<size_t>(atlas.per_sheet));
        atlas.sheets[static_cast<size_t>(s)] = make_sheet(pictures, rows.subspan(from, size), atlas, options);
      }
    });
    for (int64_t s = first; s < last; ++s) bytes += static_cast<int64_t>(atlas.sheets[static_cast<size_t>(s)].size());
    if (bytes > options.max_bytes) return std::nullopt;
    if (options.progress) options.progress(std::min(count, last * atlas.per_sheet), count);
  }
  return atlas;
}

}  // namespace orthant::report
