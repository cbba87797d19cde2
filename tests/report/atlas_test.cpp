#include "orthant/report/atlas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "orthant/io/image_file.h"
#include "tests/catalogue/pictures.h"
#include "tests/support/message_of.h"

namespace orthant::report {
namespace {

using test::message_of;
using test::noise;
using test::Pictures;
using test::slopes;
using ::testing::HasSubstr;

std::vector<int64_t> all_of(const Dataset& data) {
  std::vector<int64_t> rows(static_cast<size_t>(data.size()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// As the page cuts it out.
Image cut(const Atlas& atlas, int64_t item) {
  const Image sheet = io::decode_image(atlas.sheets.at(static_cast<size_t>(item / atlas.per_sheet)), "sheet");
  const int64_t at = item % atlas.per_sheet;
  Image picture(atlas.height, atlas.width, sheet.channels);
  for (int64_t y = 0; y < atlas.height; ++y) {
    for (int64_t x = 0; x < atlas.width; ++x) {
      std::ranges::copy(sheet.at(at / atlas.per_row * atlas.tile_height + y, at % atlas.per_row * atlas.tile_width + x),
                        picture.at(y, x).begin());
    }
  }
  return picture;
}

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int{a.pixels[i]} - int{b.pixels[i]});
  return sum / static_cast<double>(a.pixels.size());
}

TEST(Atlas, PngTilesAreThePicturesPixelForPixel) {
  for (const auto [height, width, channels] :
       {std::array{32, 32, 3}, {28, 28, 1}, {17, 5, 3}, {1, 1, 1}, {16, 48, 3}}) {
    const Pictures data(noise(70, height, width, channels));
    const auto atlas = make_atlas(data, all_of(data));
    ASSERT_TRUE(atlas);
    EXPECT_EQ(atlas->tile_width, (width + 15) / 16 * 16);
    EXPECT_EQ(atlas->tile_height, (height + 15) / 16 * 16);
    for (int64_t i = 0; i < data.size(); ++i) ASSERT_EQ(cut(*atlas, i), data.image(i)) << i;
  }
}

TEST(Atlas, JpegTilesAreCloseAndDoNotBleedIntoEachOther) {
  std::vector<Image> images = slopes(40, 30, 20, 3);
  images[7] = Image(30, 20, 3, 255);
  images[8] = Image(30, 20, 3, 0);
  const Pictures data(images);
  const auto atlas = make_atlas(data, all_of(data), {.format = "jpeg", .quality = 90});
  for (int64_t i = 0; i < data.size(); ++i) EXPECT_LT(mean_difference(cut(*atlas, i), data.image(i)), 6) << i;
  EXPECT_LT(mean_difference(cut(*atlas, 7), images[7]), 0.1);
  EXPECT_LT(mean_difference(cut(*atlas, 8), images[8]), 0.1);
}

TEST(Atlas, SheetsFollowEachOtherAndTheLastIsPartlyFull) {
  const Pictures data(noise(1100, 2, 3, 3));
  auto rows = all_of(data);
  std::ranges::reverse(rows);
  const auto atlas = make_atlas(data, rows);
  ASSERT_EQ(atlas->sheets.size(), 2U);
  EXPECT_EQ(atlas->per_row, 32);
  EXPECT_EQ(atlas->per_sheet, 1024);
  EXPECT_EQ(io::decode_image(atlas->sheets[1], "sheet").height, 3 * 16);
  for (const int64_t i : {0, 31, 32, 1023, 1024, 1099}) EXPECT_EQ(cut(*atlas, i), data.image(1099 - i)) << i;
}

TEST(Atlas, LargePicturesHaveFewerTilesOnASheet) {
  const Pictures data(noise(7, 1000, 700, 3));
  const auto atlas = make_atlas(data, all_of(data), {.format = "jpeg"});
  EXPECT_EQ(atlas->per_sheet, 4);
  EXPECT_EQ(atlas->sheets.size(), 2U);
}

TEST(Atlas, ScalesDownWhatIsLargerThanAskedFor) {
  const Pictures data({Image(96, 64, 3, 90), Image(96, 64, 3, 200)});
  const auto atlas = make_atlas(data, all_of(data), {.max_side = 32});
  EXPECT_EQ(atlas->height, 32);
  EXPECT_EQ(atlas->width, 21);
  EXPECT_EQ(cut(*atlas, 1), Image(32, 21, 3, 200));
  const Pictures small(noise(3, 8, 8, 1));
  EXPECT_EQ(cut(*make_atlas(small, all_of(small), {.max_side = 32}), 2), small.image(2));
}

TEST(Atlas, PicturesOfVaryingSizeAreCentredOnSquares) {
  const Pictures data({Image(100, 50, 3, 10), Image(8, 32, 1, 250), Image(1, 1000, 3, 0)});
  const auto atlas = make_atlas(data, all_of(data));
  EXPECT_EQ(atlas->width, 64);
  EXPECT_EQ(atlas->channels, 3);
  const Image tall = cut(*atlas, 0);
  EXPECT_EQ(tall.at(0, 32)[0], 10);
  EXPECT_EQ(tall.at(63, 32)[0], 10);
  EXPECT_EQ(tall.at(32, 0)[0], 128);
  const Image wide = cut(*atlas, 1);
  EXPECT_EQ(wide.at(32, 0)[2], 250);
  EXPECT_EQ(wide.at(0, 32)[2], 128);
  EXPECT_EQ(cut(*atlas, 2).at(31, 63)[0], 0);
}

TEST(Atlas, IsTheSameForAnyNumberOfThreads) {
  const Pictures data(noise(3000, 9, 9, 3));
  const auto one = make_atlas(data, all_of(data), {.format = "jpeg", .threads = 1});
  const auto four = make_atlas(data, all_of(data), {.format = "jpeg", .threads = 4});
  EXPECT_EQ(one->sheets, four->sheets);
}

TEST(Atlas, StopsAtItsLimitAndTellsItsProgress) {
  const Pictures data(noise(1100, 4, 4, 1));
  std::vector<int64_t> told;
  AtlasOptions options;
  options.threads = 1;
  options.progress = [&](int64_t done, int64_t) { told.push_back(done); };
  const auto atlas = make_atlas(data, all_of(data), options);
  EXPECT_EQ(told, (std::vector<int64_t>{1024, 1100}));
  options.max_bytes = atlas->bytes();
  EXPECT_TRUE(make_atlas(data, all_of(data), options));
  options.max_bytes = atlas->bytes() - 1;
  EXPECT_FALSE(make_atlas(data, all_of(data), options));
}

TEST(Atlas, RefusesWhatItCannotDraw) {
  const Pictures data(noise(2, 4, 4, 1));
  const std::vector<int64_t> none;
  const std::vector<int64_t> outside = {2};
  EXPECT_THAT(message_of([&] { make_atlas(data, none); }), HasSubstr("[atlas] expected at least one item, got none"));
  EXPECT_THROW(make_atlas(data, outside), std::invalid_argument);
  EXPECT_THAT(message_of([&] { make_atlas(data, all_of(data), {.format = "gif"}); }),
              HasSubstr("png or jpeg, got gif"));
  EXPECT_THROW(make_atlas(data, all_of(data), {.quality = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace orthant::report
