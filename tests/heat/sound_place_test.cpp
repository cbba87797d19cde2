#include "orthant/heat/sound_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/views/mel.h"

namespace orthant::heat {
namespace {

using views::SoundAxes;

constexpr SoundAxes kAxes{.begin = 0, .end = 2, .low = 100, .high = 7000};

// Four times two cells, one map with this value.
HeatMaps maps_of(std::vector<float> parts, float value = 1, Box box = {}) {
  HeatMaps maps{.rows = 2, .cols = 4, .box = box};
  maps.maps = Matrix(1, 8, std::move(parts));
  maps.values = {value};
  maps.rests = {0};
  return maps;
}

TEST(SoundPlace, IsTheStrongestCellWithThoseOfHalfItsPart) {
  const auto place = strongest_place(maps_of({0, 8, 4, 3, 0, 1, -9, 0}), 0, kAxes);
  ASSERT_TRUE(place);
  EXPECT_DOUBLE_EQ(place->begin, 0.5);
  EXPECT_DOUBLE_EQ(place->end, 1.5);
  EXPECT_NEAR(place->high, 7000, 1e-6);
  const double middle = (views::hz_to_mel(100) + views::hz_to_mel(7000)) / 2;
  EXPECT_NEAR(place->low, views::mel_to_hz(middle), 1e-6);
  EXPECT_FLOAT_EQ(place->share, 12.0F / 16);
}

TEST(SoundPlace, CellsThatOnlyTouchAtACornerOrLieApartDoNotCount) {
  const auto corner = strongest_place(maps_of({8, 0, 0, 0, 0, 8, 0, 7}), 0, kAxes);
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->begin, 0);
  EXPECT_DOUBLE_EQ(corner->end, 0.5);
}

TEST(SoundPlace, OfANegativeValueIsWhereItComesFrom) {
  const auto place = strongest_place(maps_of({9, 0, 0, -2, 0, 0, 0, 0}, -1), 0, kAxes);
  ASSERT_TRUE(place);
  EXPECT_DOUBLE_EQ(place->begin, 1.5);
  EXPECT_FLOAT_EQ(place->share, 1);
  EXPECT_FALSE(strongest_place(maps_of({-1, 0, 0, -2, 0, 0, 0, 0}, 1), 0, kAxes));
}

TEST(SoundPlace, EndsWithTheSoundWhereTheViewIsLonger) {
  const Box longer{.left = -0.5F, .top = 0, .width = 2, .height = 1};
  const auto part = strongest_place(maps_of({0, 1, 1, 0, 0, 0, 0, 0}, 1, longer), 0, kAxes);
  ASSERT_TRUE(part);
  EXPECT_DOUBLE_EQ(part->begin, 0);
  EXPECT_DOUBLE_EQ(part->end, 2);
  const auto before = strongest_place(maps_of({1, 0, 0, 0, 0, 0, 0, 0}, 1, longer), 0, kAxes);
  EXPECT_THAT(place_text(*before), testing::StartsWith("the silence before it, "));
  const auto after = strongest_place(maps_of({0, 0, 0, 1, 0, 0, 0, 0}, 1, longer), 0, kAxes);
  EXPECT_THAT(place_text(*after), testing::StartsWith("the silence after it, "));
  const SoundPlace seen = seen_place(maps_of({0, 0, 0, 0, 0, 0, 0, 0}, 1, longer), kAxes);
  EXPECT_EQ(seen.begin, 0);
  EXPECT_EQ(seen.end, 2);
}

TEST(SoundPlace, ReadsAsAPersonWouldSayIt) {
  EXPECT_EQ(place_text({.begin = 0.42, .end = 0.61, .low = 1812, .high = 3090}), "0.42-0.61 s, 1.8-3.1 kHz");
  EXPECT_EQ(place_text({.begin = 0, .end = 12.3, .low = 212.4, .high = 640}), "0.00-12.30 s, 212-640 Hz");
  EXPECT_EQ(place_text({.begin = 1, .end = 2, .low = 640, .high = 1200}), "1.00-2.00 s, 640 Hz-1.2 kHz");
  EXPECT_EQ(place_text({.begin = 1, .end = 2, .low = 79, .high = 999.7}), "1.00-2.00 s, 79 Hz-1.0 kHz");
}

TEST(SoundPlace, ABoxMovesBetweenPicturesOfOneSound) {
  const SoundAxes part{.begin = 0.5, .end = 1, .low = 100, .high = 7000};
  const Box box = moved_box({.left = 0.25F, .top = 0.1F, .width = 0.5F, .height = 0.5F}, kAxes, part);
  EXPECT_FLOAT_EQ(box.left, 0);
  EXPECT_FLOAT_EQ(box.width, 2);
  EXPECT_FLOAT_EQ(box.top, 0.1F);
  EXPECT_FLOAT_EQ(box.height, 0.5F);
  const SoundAxes lower{.begin = 0, .end = 2, .low = 100, .high = 3000};
  EXPECT_LT(moved_box({}, kAxes, lower).top, 0);
  EXPECT_NEAR(moved_box({}, kAxes, lower).top + moved_box({}, kAxes, lower).height, 1, 1e-6);
}

TEST(SoundAxes, TimesAndFrequenciesComeBack) {
  const SoundAxes axes = views::sound_axes({.low = 60, .high = 7600}, 48, 3);
  EXPECT_GT(axes.low, 60);
  EXPECT_LT(axes.high, 7600);
  EXPECT_NEAR(views::hz_at(axes, 0), axes.high, 1e-6);
  EXPECT_NEAR(views::hz_at(axes, 1), axes.low, 1e-6);
  for (const double hz : {100.0, 1000.0, 5000.0}) EXPECT_NEAR(views::hz_at(axes, views::down_at(axes, hz)), hz, 1e-6);
  EXPECT_DOUBLE_EQ(views::seconds_at(axes, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(views::across_at(axes, 1.5), 0.5);
  EXPECT_GE(views::hz_at(axes, 9), 0);
}

}  // namespace
}  // namespace orthant::heat
