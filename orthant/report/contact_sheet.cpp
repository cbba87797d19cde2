#include "orthant/report/contact_sheet.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/report/font.h"

namespace orthant {
namespace {

constexpr int64_t kMargin = 16;
constexpr int64_t kGap = 6;
constexpr int64_t kTextScale = 2;
constexpr int64_t kLine = kFontHeight * kTextScale;
constexpr int64_t kMaxPixels = 100'000'000;
constexpr Colour kInk = {34, 34, 40};
constexpr Colour kSoft = {110, 110, 120};

// Copies `image`, scaled into a cell x cell square at (x, y) and centred there: nearest neighbour when it is enlarged,
// so that pixels stay crisp, area averages when it shrinks.
void place(Image& sheet, const Image& image, int64_t x, int64_t y, int64_t cell) {
  const int64_t longest = std::max(image.height, image.width);
  const int64_t factor = cell / longest;
  const auto scaled = [&](int64_t side) {
    return factor >= 1 ? side * factor : std::max<int64_t>(1, side * cell / longest);
  };
  const int64_t height = scaled(image.height);
  const int64_t width = scaled(image.width);
  const int64_t top = y + (cell - height) / 2;
  const int64_t left = x + (cell - width) / 2;
  for (int64_t v = 0; v < height; ++v) {
    const int64_t y0 = v * image.height / height;
    const int64_t y1 = std::max(y0 + 1, (v + 1) * image.height / height);
    for (int64_t u = 0; u < width; ++u) {
      const int64_t x0 = u * image.width / width;
      const int64_t x1 = std::max(x0 + 1, (u + 1) * image.width / width);
      const auto target = sheet.at(top + v, left + u);
      for (size_t c = 0; c < 3; ++c) {
        const size_t channel = image.channels == 3 ? c : 0;
        int64_t sum = 0;
        for (int64_t yy = y0; yy < y1; ++yy) {
          for (int64_t xx = x0; xx < x1; ++xx) sum += image.at(yy, xx)[channel];
        }
        const int64_t area = (y1 - y0) * (x1 - x0);
        target[c] = static_cast<uint8_t>((sum + area / 2) / area);
      }
    }
  }
}

// Text in lines of at most `width` pixels, broken at spaces; the last of `most` lines takes what is left, shortened.
std::vector<std::string> broken(std::string_view text, int64_t width, int64_t most) {
  std::vector<std::string> lines;
  while (!text.empty() && std::ssize(lines) < most) {
    size_t end = text.size();
    while (text_width(text.substr(0, end), kTextScale) > width) {
      const size_t space = end == 0 ? std::string_view::npos : text.rfind(' ', end - 1);
      if (space == std::string_view::npos || space == 0) break;
      end = space;
    }
    if (std::ssize(lines) + 1 == most) end = text.size();
    lines.push_back(fit_text(text.substr(0, end), width, kTextScale));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

// The label and below it the words, in the middle of the row at `y`.
void draw_row_text(Image& sheet, const SheetRow& row, int64_t y, int64_t width, int64_t cell) {
  const std::vector<std::string> words = broken(row.words, width, std::max<int64_t>(0, cell / kLine - 1));
  int64_t at = y + (cell - kLine * (1 + std::ssize(words))) / 2;
  draw_text(sheet, kMargin, at, fit_text(row.label, width, kTextScale), kInk, kTextScale);
  for (const std::string& line : words) draw_text(sheet, kMargin, at += kLine, line, kSoft, kTextScale);
}

// Where the title of a column must end: at the next column that has one.
size_t next_title(const std::vector<std::string>& titles, size_t column, size_t columns) {
  for (size_t next = column + 1; next < std::min(columns, titles.size()); ++next) {
    if (!titles[next].empty()) return next;
  }
  return columns;
}

}  // namespace

Image contact_sheet(const std::vector<SheetRow>& rows, const SheetOptions& options) {
  check(!rows.empty(), "[contact_sheet] expected at least one row, got none");
  check(options.cell >= 8 && options.cell <= 1024, "[contact_sheet] expected a cell of 8 to 1024 pixels, got ",
        options.cell);
  size_t columns = 0;
  int64_t label_width = 0;
  for (const SheetRow& row : rows) {
    columns = std::max(columns, row.images.size());
    label_width = std::max({label_width, text_width(row.label, kTextScale), text_width(row.words, kTextScale)});
    for (const Image& image : row.images) {
      check(image.height > 0 && image.width > 0 && (image.channels == 1 || image.channels == 3),
            "[contact_sheet] expected grey or RGB pictures, got ", image.height, " x ", image.width, " x ",
            image.channels);
    }
  }
  label_width = std::min<int64_t>(label_width, 240);

  const int64_t pitch = options.cell + kGap;
  const int64_t first_column = kMargin + (label_width > 0 ? label_width + 2 * kGap : 0);
  const int64_t title_height = options.title.empty() ? 0 : kLine + 2 * kGap;
  const int64_t header_height = options.column_titles.empty() ? 0 : kLine + kGap;
  const int64_t first_row = kMargin + title_height + header_height;
  const int64_t content_width = first_column + static_cast<int64_t>(columns) * pitch - kGap + kMargin;
  const int64_t width = std::max(content_width, text_width(options.title, kTextScale) + 2 * kMargin);
  const int64_t height = first_row + static_cast<int64_t>(rows.size()) * pitch - kGap + kMargin;
  check(width <= kMaxPixels / height, "[contact_sheet] expected a sheet of at most 100 megapixels, got ", width, " x ",
        height, "; take fewer rows or a smaller cell");

  Image sheet(height, width, 3, 255);
  draw_text(sheet, kMargin, kMargin, options.title, kInk, kTextScale);
  for (size_t column = 0; column < std::min(columns, options.column_titles.size()); ++column) {
    const size_t next = next_title(options.column_titles, column, columns);
    const int64_t room = static_cast<int64_t>(next - column) * pitch - kGap;
    const std::string title = fit_text(options.column_titles[column], room, kTextScale);
    const int64_t x = first_column + static_cast<int64_t>(column) * pitch;
    draw_text(sheet, x, first_row - header_height, title, kSoft, kTextScale);
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    const int64_t y = first_row + static_cast<int64_t>(r) * pitch;
    draw_row_text(sheet, rows[r], y, label_width, options.cell);
    for (size_t column = 0; column < rows[r].images.size(); ++column) {
      place(sheet, rows[r].images[column], first_column + static_cast<int64_t>(column) * pitch, y, options.cell);
    }
  }
  return sheet;
}

}  // namespace orthant
