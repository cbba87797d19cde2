#include "orthant/data/suggested_size.h"

#include <gmock/gmock.h>

#include "fake_dataset.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

// Pictures of the given shorter sides, each twice as wide as it is high; one of side 0 cannot be decoded.
class Sides final : public Dataset {
 public:
  explicit Sides(std::vector<int64_t> sides) : sides_(std::move(sides)) {}
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(sides_.size()); }
  Image image(int64_t i) const override {
    const int64_t side = sides_[static_cast<size_t>(i)];
    check_io(side > 0, "[x] expected a picture, got nonsense");
    return {side, 2 * side, 1};
  }

 private:
  std::vector<int64_t> sides_;
  DatasetInfo info_;
};

TEST(SuggestedSize, FollowsItsTable) {
  for (const auto& [side, size] : {std::pair<int64_t, int64_t>{1, 32},
                                   {28, 32},
                                   {40, 32},
                                   {41, 64},
                                   {80, 64},
                                   {81, 96},
                                   {112, 96},
                                   {113, 128},
                                   {3000, 128}}) {
    EXPECT_EQ(suggested_image_size(Sides({side})), size) << side;
  }
}

TEST(SuggestedSize, TakesTheMedianOfWhatCanBeDecoded) {
  EXPECT_EQ(suggested_image_size(Sides({10, 20, 64, 500, 900})), 64);
  EXPECT_EQ(suggested_image_size(Sides({0, 64, 0})), 64);
  EXPECT_EQ(suggested_image_size(Sides({0})), 32);
  EXPECT_EQ(suggested_image_size(Sides({})), 32);
  std::vector<int64_t> sorted(100, 20);
  sorted.resize(400, 100);
  EXPECT_EQ(suggested_image_size(Sides(sorted)), 96);
}

// Pictures of one size that must not be decoded.
class OneSize final : public Dataset {
 public:
  OneSize(int64_t height, int64_t width) {
    info_.height = height;
    info_.width = width;
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 5; }
  Image image(int64_t) const override { throw std::logic_error("decoded"); }

 private:
  DatasetInfo info_;
};

TEST(SuggestedSize, OfPicturesOfOneSizeDecodesNone) {
  EXPECT_EQ(suggested_image_size(OneSize(70, 300)), 64);
  EXPECT_EQ(suggested_image_size(OneSize(300, 300)), 128);
}

TEST(SuggestedSize, OfSmallSquaresIsTheirOwn) {
  for (const int64_t side : {8, 28, 32, 50, 128}) EXPECT_EQ(suggested_image_size(OneSize(side, side)), side);
  EXPECT_EQ(suggested_image_size(OneSize(7, 7)), 32);
}

TEST(SuggestedSize, RejectsVectors) {
  class Vectors final : public Dataset {
   public:
    Vectors() { info_.dims = 3; }
    const DatasetInfo& info() const override { return info_; }
    int64_t size() const override { return 1; }

   private:
    DatasetInfo info_;
  };
  EXPECT_THAT(message_of<std::invalid_argument>([] { suggested_image_size(Vectors()); }), HasSubstr("got vectors"));
}

}  // namespace
}  // namespace orthant
