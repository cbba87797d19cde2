#include "orthant/report/font.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace orthant {
namespace {

Image drawn(std::string_view text, int64_t scale = 1) {
  Image image(kFontHeight * scale, std::max<int64_t>(1, text_width(text, scale)), 3, 255);
  draw_text(image, 0, 0, text, {0, 0, 0}, scale);
  return image;
}

int64_t ink(const Image& image) { return std::ranges::count(image.pixels, 0) / 3; }

TEST(Font, EveryPrintableCharacterHasAGlyphOfItsOwn) {
  std::set<std::string> glyphs;
  for (char c = '!'; c <= '~'; ++c) {
    const Image image = drawn(std::string(1, c));
    EXPECT_GT(ink(image), 0) << c;
    glyphs.emplace(image.pixels.begin(), image.pixels.end());
  }
  EXPECT_EQ(glyphs.size(), size_t{'~' - '!' + 1});
  const Image box = drawn("\x01");
  EXPECT_FALSE(glyphs.contains({box.pixels.begin(), box.pixels.end()}))
      << "the box of unknown characters is none of them";
}

TEST(Font, GlyphsLookAsTheyWereDrawn) {
  const Image t = drawn("T");
  ASSERT_EQ(t.width, 5);
  for (int64_t y = 0; y < kFontHeight; ++y) {
    for (int64_t x = 0; x < 5; ++x) EXPECT_EQ(t.at(y, x)[0] == 0, y == 0 || (x == 2 && y < 7)) << y << "," << x;
  }
}

TEST(Font, WidthIsWhatIsDrawn) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_EQ(text_width("T"), 5);
  EXPECT_EQ(text_width("TT"), 11);
  EXPECT_EQ(text_width("TT", 3), 33);
}

TEST(Font, ScaleRepeatsPixels) { EXPECT_EQ(ink(drawn("Orthant", 3)), 9 * ink(drawn("Orthant"))); }

TEST(Font, OtherCharactersAreOneBoxEach) {
  EXPECT_EQ(drawn("\xc3\xa9"), drawn("\xf0\x9f\x90\x9f"));  // e acute, a fish
  EXPECT_EQ(text_width("\xc3\xa9"), 5);
}

TEST(Font, DrawingOutsideIsCutOff) {
  Image image(4, 4, 3, 255);
  draw_text(image, -3, -3, "WWW", {0, 0, 0}, 2);
  draw_text(image, 3, 3, "WWW", {0, 0, 0}, 2);
  EXPECT_EQ(image.pixels.size(), 48U);
}

TEST(Font, FitTextCutsOnlyWhatIsTooLong) {
  EXPECT_EQ(fit_text("short", 100), "short");
  const std::string cut = fit_text("a name that is far too long for its place", 60);
  EXPECT_LE(text_width(cut), 60);
  EXPECT_TRUE(cut.ends_with("..."));
  EXPECT_GT(cut.size(), 6U);
}

}  // namespace
}  // namespace orthant
