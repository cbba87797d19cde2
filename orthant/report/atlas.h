#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant::report {

struct AtlasOptions {
  std::string format = "png";     // png, every pixel as it is; or jpeg
  int quality = 90;               // of jpeg, 1..100
  int64_t max_side = 0;           // pictures whose longer side exceeds this are scaled down to it; 0: none are
  int64_t max_bytes = INT64_MAX;  // of all sheets together
  int threads = 0;                // 0: as many as the machine offers; the result does not depend on it
  std::function<void(int64_t done, int64_t total)> progress = {};  // pictures; from the calling thread; may throw
};

// Pictures as tiles on sheets, each sheet an image file: item i is on sheet i / per_sheet, in place i % per_sheet,
// counted row by row.
struct Atlas {
  int64_t width = 0;  // of every picture; it begins at the top left corner of its tile
  int64_t height = 0;
  int64_t channels = 0;
  int64_t tile_width = 0;   // the picture's side, rounded up to a multiple of 16: what JPEG compresses as one block, so
  int64_t tile_height = 0;  // that no picture bleeds into another. The edge is repeated to fill the tile.
  int64_t per_row = 0;
  int64_t per_sheet = 0;
  std::string format;
  std::vector<std::vector<std::byte>> sheets;  // the last has only the rows that it needs

  int64_t bytes() const;  // of all sheets
};

// The atlas of items `rows` of a data set of pictures, in that order. Sheets have 32 x 32 tiles, fewer where they would
// exceed 2048 pixels a side. Pictures that are not all of one size are fitted into squares of 64 pixels (or max_side,
// if smaller), centred on grey, in RGB.
//
// Nothing if the sheets exceed max_bytes; it stops as soon as that is certain. std::invalid_argument if the data set
// holds vectors, `rows` is empty or has an index outside, or an option is out of range; IoError if a picture cannot be
// read.
std::optional<Atlas> make_atlas(const Dataset& pictures, std::span<const int64_t> rows,
                                const AtlasOptions& options = {});

}  // namespace orthant::report
