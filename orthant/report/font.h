#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orthant/core/image.h"

namespace orthant {

// A small proportional pixel font, drawn for contact sheets: capitals are seven pixels high, descenders two more.
// ASCII only; any other character of UTF-8 text is drawn as a box.
inline constexpr int64_t kFontHeight = 9;

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

// The width in pixels of `text` at the given scale.
int64_t text_width(std::string_view text, int64_t scale = 1);

// Draws one line of text with its upper left corner at (x, y) into an RGB image; what falls outside is cut off.
void draw_text(Image& image, int64_t x, int64_t y, std::string_view text, Colour colour, int64_t scale = 1);

// `text`, shortened with "..." at its end to fit `width` pixels.
std::string fit_text(std::string_view text, int64_t width, int64_t scale = 1);

}  // namespace orthant
