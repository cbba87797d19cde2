#include "orthant/data/statistics.h"

#include <gmock/gmock.h>

#include <cmath>

#include "orthant/sources/sprites.h"
#include "tests/data/fake_dataset.h"

namespace orthant {
namespace {

using test::fake_dataset;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Grey, then red; item 2 cannot be decoded.
class Mixed final : public Dataset {
 public:
  Mixed() { info_.name = "mixed"; }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 3; }
  Image image(int64_t i) const override {
    check_io(i != 2, "[c.png] expected a picture, got nonsense");
    Image image(i + 1, 2, i == 0 ? 1 : 3, 51);
    if (i == 1) image.at(0, 0)[0] = 255;
    return image;
  }

 private:
  DatasetInfo info_;
};

TEST(Statistics, CountsClassesAndPixelsByHand) {
  const auto statistics = dataset_statistics(*fake_dataset(5, 2));
  EXPECT_EQ(statistics.items, 5);
  EXPECT_THAT(statistics.per_class, ElementsAre(3, 2));
  ASSERT_EQ(statistics.mean.size(), 1);
  EXPECT_DOUBLE_EQ(statistics.mean[0], 2.0 / 255);
  EXPECT_DOUBLE_EQ(statistics.deviation[0], std::sqrt(2.0) / 255);
  EXPECT_EQ(statistics.grey_mean, statistics.mean[0]);
  EXPECT_EQ(statistics.grey_deviation, statistics.deviation[0]);
  EXPECT_EQ(dataset_statistics(*fake_dataset(5, 0)).unlabelled, 5);
}

TEST(Statistics, MixesGreyAndColourAndListsWhatFails) {
  const auto statistics = dataset_statistics(Mixed());
  EXPECT_EQ(statistics.looked_at, 2);
  EXPECT_EQ(statistics.min_height, 1);
  EXPECT_EQ(statistics.max_height, 2);
  EXPECT_EQ(statistics.min_width, 2);
  ASSERT_EQ(statistics.mean.size(), 3);
  EXPECT_DOUBLE_EQ(statistics.mean[0], (5 * 0.2 + 1) / 6);
  EXPECT_DOUBLE_EQ(statistics.mean[1], 0.2);
  EXPECT_NEAR(statistics.deviation[1], 0, 1e-9);
  // (255, 51, 51) is 0.299 * 255 + 0.701 * 51 = 112 in grey.
  const double grey_mean = (5 * 51.0 + 112) / 6;
  EXPECT_DOUBLE_EQ(statistics.grey_mean, grey_mean / 255);
  EXPECT_NEAR(statistics.grey_deviation, std::sqrt((5 * 51.0 * 51 + 112.0 * 112) / 6 - grey_mean * grey_mean) / 255,
              1e-9);
  EXPECT_THAT(statistics.unreadable, ElementsAre(HasSubstr("2: [c.png] expected a picture")));
}

TEST(Statistics, SumsOfLargeWhitePicturesDoNotWrapAround) {
  class White final : public Dataset {
   public:
    const DatasetInfo& info() const override { return info_; }
    int64_t size() const override { return 2; }
    Image image(int64_t) const override { return {500, 301, 3, 255}; }

   private:
    DatasetInfo info_;
  };
  const auto statistics = dataset_statistics(White());
  EXPECT_THAT(statistics.mean, ElementsAre(1, 1, 1));
  EXPECT_THAT(statistics.deviation, ElementsAre(0, 0, 0));
}

TEST(Statistics, AreTheSameBitsForAnyNumberOfThreads) {
  const auto sprites = make_sprites({.size = 1000});
  const auto one = dataset_statistics(*sprites, {.threads = 1});
  const auto four = dataset_statistics(*sprites, {.threads = 4});
  EXPECT_EQ(one.mean, four.mean);
  EXPECT_EQ(one.deviation, four.deviation);
  EXPECT_EQ(one.per_class, four.per_class);
}

TEST(Statistics, LooksAtNoMoreItemsThanAsked) {
  const auto statistics = dataset_statistics(*fake_dataset(200, 2), {.max_items = 4});
  EXPECT_EQ(statistics.looked_at, 4);
  EXPECT_DOUBLE_EQ(statistics.mean[0], (0 + 50 + 100 + 150) / 4.0 / 255);
  EXPECT_THAT(statistics.per_class, ElementsAre(100, 100));
  EXPECT_THROW(dataset_statistics(*fake_dataset(2, 2), {.max_items = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
