#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/image.h"

namespace orthant {

// One row of a contact sheet: what is written at its left, and its pictures (grey or RGB, any size).
struct SheetRow {
  std::string label;
  std::vector<Image> images;
  std::string words = {};  // below the label, in as many lines as fit beside the pictures
};

struct SheetOptions {
  std::string title = {};
  // Over the pictures, each as wide as the columns up to the next title that is not empty; may be fewer than columns.
  std::vector<std::string> column_titles = {};
  int64_t cell = 96;  // every picture fills a square of this many pixels
};

// Rows of pictures with a title, column titles and row labels, as an RGB image on white. Small pictures are enlarged
// by whole pixels, so that they stay crisp; others are scaled to fit. std::invalid_argument if there are no rows, or
// the sheet would exceed 100 megapixels.
Image contact_sheet(const std::vector<SheetRow>& rows, const SheetOptions& options = {});

}  // namespace orthant
