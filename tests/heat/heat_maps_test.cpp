#include "orthant/heat/heat_maps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/message_of.h"

namespace orthant::heat {
namespace {

using test::message_of;
using testing::HasSubstr;

HeatMaps small() {
  HeatMaps maps{.method = Method::kOcclusion, .rows = 2, .cols = 1, .box = {0.25F, 0, 0.5F, 1}};
  maps.maps = Matrix(2, 2, {1, -2, 3, 4});
  maps.values = {5, 6};
  maps.rests = {0.5F, 0};
  return maps;
}

TEST(HeatMaps, ComeBackAsTheyWereSent) {
  const HeatMaps maps = small();
  const HeatMaps back = from_floats(to_floats(maps));
  EXPECT_EQ(back.method, maps.method);
  EXPECT_EQ(back.rows, 2);
  EXPECT_EQ(back.cols, 1);
  EXPECT_EQ(back.box, maps.box);
  EXPECT_EQ(back.values, maps.values);
  EXPECT_EQ(back.rests, maps.rests);
  EXPECT_THAT(back.maps.row(1), testing::ElementsAre(3, 4));
}

TEST(HeatMaps, CoarserOnesHaveTheSameSum) {
  HeatMaps maps{.method = Method::kAdditive, .rows = 3, .cols = 4};
  maps.maps = Matrix(1, 12, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  maps.values = {80};
  maps.rests = {2};
  const HeatMaps fewer = coarser(maps, 2);
  EXPECT_EQ(fewer.rows, 2);
  EXPECT_EQ(fewer.cols, 2);
  EXPECT_THAT(fewer.maps.row(0), testing::ElementsAre(14, 22, 19, 23));
  EXPECT_EQ(fewer.values, maps.values);
  EXPECT_EQ(fewer.rests, maps.rests);
  EXPECT_EQ(coarser(maps, 4).cols, 4);
  EXPECT_EQ(coarser(small(), 1).rows, 2) << "what covering takes does not add up";
}

TEST(HeatMaps, RefuseWhatIsNoMap) {
  const std::vector<float> good = to_floats(small());
  const auto with = [&](size_t at, float value) {
    std::vector<float> floats = good;
    floats[at] = value;
    return message_of([&] { from_floats(floats); });
  };
  EXPECT_THAT(message_of([] { from_floats({}); }), HasSubstr("expected at least 8 numbers, got 0"));
  EXPECT_THAT(message_of([&] { from_floats(std::span(good).first(good.size() - 1)); }),
              HasSubstr("expected 2 maps of 2 x 1 cells"));
  EXPECT_THAT(with(0, 2), HasSubstr("expected the method 0 or 1, got 2"));
  EXPECT_THAT(with(1, 2.5F), HasSubstr("whole number of rows"));
  EXPECT_THAT(with(1, -1), HasSubstr("whole number of rows"));
  EXPECT_THAT(with(2, 1e9F), HasSubstr("whole number of columns"));
  EXPECT_THAT(with(3, 3), HasSubstr("expected 3 maps"));
  EXPECT_THAT(with(6, 0.9F), HasSubstr("box within the picture"));
  EXPECT_THAT(with(10, std::numeric_limits<float>::quiet_NaN()), HasSubstr("finite"));
}

}  // namespace
}  // namespace orthant::heat
