#include "orthant/heat/overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::heat {
namespace {

using test::message_of;
using testing::HasSubstr;

HeatMaps grid(int64_t rows, int64_t cols, std::vector<float> parts, Box box = {}) {
  HeatMaps maps{.rows = rows, .cols = cols, .box = box};
  maps.maps = Matrix(1, rows * cols, std::move(parts));
  maps.values = {0};
  maps.rests = {0};
  return maps;
}

TEST(Overlay, IsRedWhereAPartAddsAndBlueWhereItTakes) {
  const HeatMaps maps = grid(1, 2, {1, -1});
  const Image image = overlay(Image(48, 96, 1, 128), maps, maps.maps.row(0), 1);
  EXPECT_EQ(image.width, 96);
  EXPECT_EQ(image.channels, 3);
  const auto left = image.at(24, 5);
  const auto right = image.at(24, 90);
  EXPECT_GT(left[0], left[2] + 80);
  EXPECT_GT(right[2], right[0] + 80);
}

TEST(Overlay, RunsEvenlyBetweenTheMiddlesOfCells) {
  const HeatMaps maps = grid(1, 2, {0, 1});
  const Image image = overlay(Image(100, 100, 1, 128), maps, maps.maps.row(0), 1);
  EXPECT_EQ(image.at(50, 10)[0], 128);  // before the middle of the first cell
  for (int64_t x = 25; x < 74; ++x) EXPECT_LE(image.at(50, x)[0], image.at(50, x + 1)[0]) << x;
  EXPECT_GT(image.at(50, 80)[0], 200);
}

TEST(Overlay, EnlargesSmallPicturesByAWholeNumber) {
  const HeatMaps maps = grid(1, 1, {0});
  const Image image = overlay(Image(32, 40, 3, 7), maps, maps.maps.row(0), 1);
  EXPECT_EQ(image.height, 96);
  EXPECT_EQ(image.width, 120);
}

TEST(Overlay, DarkensWhatTheNetworkDidNotSee) {
  const HeatMaps maps = grid(1, 1, {1}, {0.25F, 0, 0.5F, 1});
  const Image image = overlay(Image(100, 200, 1, 200), maps, maps.maps.row(0), 1);
  EXPECT_EQ(image.at(50, 10)[0], 80);
  EXPECT_GT(image.at(50, 100)[0], 200);
  EXPECT_EQ(image.at(50, 190)[2], 80);
}

TEST(Overlay, RefusesMapsOfAnotherSizeAndEmptyPictures) {
  const HeatMaps maps = grid(1, 2, {1, 2});
  EXPECT_THAT(message_of([&] { overlay(Image(8, 8, 1), maps, maps.maps.row(0).first(1), 1); }),
              HasSubstr("expected a map of 1 x 2 cells, got 1"));
  EXPECT_THAT(message_of([&] { overlay(Image(), maps, maps.maps.row(0), 1); }), HasSubstr("picture with pixels"));
}

TEST(Overlay, FullColourIsForMoreThanOnePixel) {
  std::vector<float> map(1000, 0.5F);
  std::fill_n(map.begin(), 15, -9.0F);
  EXPECT_EQ(strong_part(map), 0.5F);
  map[20] = 9;
  EXPECT_EQ(strong_part(map), 9);
  EXPECT_EQ(strong_part(std::vector<float>{1, -3, 2, 0}), 3);
  EXPECT_EQ(strong_part(std::vector<float>(100, 0.0F)), largest_part({}));
}

}  // namespace
}  // namespace orthant::heat
