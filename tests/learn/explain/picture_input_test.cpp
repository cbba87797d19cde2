#include "learn/explain/picture_input.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace orthant {
namespace {

TEST(PictureInput, IsThePictureNormalised) {
  Preprocessing preprocessing;
  preprocessing.size = 4;
  preprocessing.mean = {0.5, 0.5, 0.5};
  preprocessing.std = {0.25, 0.25, 0.25};
  const PictureInput input = picture_input(Image(4, 4, 3, 255), preprocessing);
  EXPECT_EQ(input.tensor.sizes().vec(), (std::vector<int64_t>{1, 3, 4, 4}));
  EXPECT_TRUE(at::allclose(input.tensor, at::full({1, 3, 4, 4}, 2.0F), 1e-5, 1e-5));
  EXPECT_EQ(input.box, heat::Box());
}

TEST(PictureInput, TellsWhichPartTheNetworkSees) {
  Preprocessing preprocessing;
  preprocessing.size = 32;
  const PictureInput wide = picture_input(Image(50, 100, 3), preprocessing);
  EXPECT_FLOAT_EQ(wide.box.left, 0.25F);
  EXPECT_FLOAT_EQ(wide.box.width, 0.5F);
  EXPECT_FLOAT_EQ(wide.box.top, 0);
  EXPECT_FLOAT_EQ(wide.box.height, 1);
  preprocessing.centre_fraction = 0.5;
  const PictureInput middle = picture_input(Image(128, 128, 3), preprocessing);
  EXPECT_FLOAT_EQ(middle.box.top, 0.25F);
  EXPECT_FLOAT_EQ(middle.box.height, 0.5F);
  preprocessing.crop = "stretch";
  EXPECT_EQ(picture_input(Image(50, 100, 3), preprocessing).box, heat::Box());
}

}  // namespace
}  // namespace orthant
