#include "orthant/report/contact_sheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

int64_t count_colour(const Image& image, uint8_t r, uint8_t g, uint8_t b) {
  int64_t count = 0;
  for (size_t i = 0; i < image.pixels.size(); i += 3) {
    count += image.pixels[i] == r && image.pixels[i + 1] == g && image.pixels[i + 2] == b;
  }
  return count;
}

Image filled(int64_t height, int64_t width, std::vector<uint8_t> colour) {
  Image image(height, width, static_cast<int64_t>(colour.size()));
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) std::ranges::copy(colour, image.at(y, x).begin());
  }
  return image;
}

TEST(ContactSheet, EveryPictureFillsItsCell) {
  const Image sheet = contact_sheet({{"row", {filled(32, 32, {200, 10, 10}), filled(32, 32, {10, 200, 10})}}});
  EXPECT_EQ(count_colour(sheet, 200, 10, 10), 96 * 96);
  EXPECT_EQ(count_colour(sheet, 10, 200, 10), 96 * 96);
}

TEST(ContactSheet, SmallPicturesAreEnlargedByWholePixels) {
  Image checkers(2, 2, 1);
  checkers.at(0, 0)[0] = 200;
  checkers.at(1, 1)[0] = 200;
  const Image sheet = contact_sheet({{"", {checkers}}}, {.cell = 9});  // 4 x, centred in 9
  EXPECT_EQ(count_colour(sheet, 200, 200, 200), 2 * 16);
  EXPECT_EQ(count_colour(sheet, 0, 0, 0), 2 * 16);
}

TEST(ContactSheet, LargePicturesShrinkToTheAverage) {
  Image stripes(64, 128, 1);
  for (int64_t y = 0; y < 64; ++y) {
    for (int64_t x = 0; x < 128; ++x) stripes.at(y, x)[0] = x % 2 == 0 ? 100 : 200;
  }
  const Image sheet = contact_sheet({{"", {stripes}}}, {.cell = 64});
  EXPECT_EQ(count_colour(sheet, 150, 150, 150), 64 * 32) << "64 x 128 keeps its shape in a cell of 64";
}

TEST(ContactSheet, WordsStandBelowTheLabelInTheLinesThatFit) {
  const auto ink = [](const std::string& words, int64_t cell) {
    const SheetRow row{.label = "feature 5", .images = {filled(8, 8, {1, 2, 3})}, .words = words};
    return count_colour(contact_sheet({row}, {.cell = cell}), 110, 110, 120);
  };
  EXPECT_EQ(ink("", 64), 0);
  const int64_t one = ink("red circle", 64);
  EXPECT_GT(one, 0);
  EXPECT_GT(ink("red circle and many other words that need another line", 64), one);
  const std::string much =
      "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t";
  EXPECT_LT(ink(much, 64), ink(much, 128)) << "a higher row has room for more";
  EXPECT_GT(ink(std::string(500, 'w'), 64), 0) << "a word that fits no line is cut";
  EXPECT_EQ(ink("no room", 20), 0);
}

TEST(ContactSheet, MakesRoomForTitlesAndLabels) {
  const std::vector<SheetRow> rows = {{"a label", {filled(8, 8, {1, 2, 3})}}};
  const Image bare = contact_sheet({{"", rows[0].images}});
  const Image full =
      contact_sheet(rows, {.title = "A title that is wider than the pictures", .column_titles = {"first"}});
  EXPECT_GT(full.height, bare.height);
  EXPECT_GT(full.width, bare.width);
  EXPECT_EQ(count_colour(full, 1, 2, 3), 96 * 96) << "nothing is written over a picture";
}

TEST(ContactSheet, RejectsWhatCannotBeDrawn) {
  using test::message_of;
  EXPECT_THAT(message_of([] { contact_sheet({}); }), HasSubstr("expected at least one row"));
  EXPECT_THAT(message_of([] { contact_sheet({{"x", {Image()}}}); }), HasSubstr("got 0 x 0 x 0"));
  EXPECT_THAT(message_of([] { contact_sheet({{"x", {Image(2, 2, 2)}}}); }), HasSubstr("got 2 x 2 x 2"));
  EXPECT_THAT(message_of([] {
                contact_sheet(std::vector<SheetRow>(20'000, {"x", {Image(1, 1, 1)}}), {.cell = 1024});
              }),
              HasSubstr("at most 100 megapixels"));
}

}  // namespace
}  // namespace orthant
