#include "orthant/corrupt/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "orthant/corrupt/pattern.h"

namespace orthant::corrupt {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

Canvas random_canvas(int64_t height, int64_t width, int64_t channels, uint64_t seed) {
  Rng rng(seed);
  Canvas canvas(height, width, channels);
  for (float& value : canvas.values) value = static_cast<float>(rng.uniform(0, 255));
  return canvas;
}

TEST(CorruptFilter, BordersAreNamedAsInTheHeader) {
  const auto beyond = [](Border border) {
    std::vector<int64_t> row;
    for (int64_t i = -5; i < 9; ++i) row.push_back(border_index(i, 4, border));
    return row;
  };
  EXPECT_THAT(beyond(Border::nearest), ElementsAre(0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3));
  EXPECT_THAT(beyond(Border::reflect), ElementsAre(3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0));
  EXPECT_THAT(beyond(Border::mirror), ElementsAre(1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2));
  for (const Border border : {Border::nearest, Border::reflect, Border::mirror}) {
    for (int64_t i = -4; i < 5; ++i) EXPECT_EQ(border_index(i, 1, border), 0);
  }
}

TEST(CorruptFilter, FiltersKeepWhatIsConstant) {
  const auto expect_flat = [](const Canvas& canvas) {
    for (const float value : canvas.values) ASSERT_NEAR(value, 77, 1e-3);
  };
  for (const auto& [height, width] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {5, 40}}) {
    const Canvas flat(height, width, 3, 77);
    Canvas canvas = flat;
    for (const Border border : {Border::nearest, Border::reflect, Border::mirror}) {
      gaussian(canvas, 3, 12, border);
      expect_flat(canvas);
    }
    disk(canvas, 4.5);
    expect_flat(canvas);
    motion(canvas, 9, 2.5, -100);
    expect_flat(canvas);
    expect_flat(zoom(flat, 1.7));
  }
}

TEST(CorruptFilter, DiskIsTheMeanOfThePixelsInIt) {
  const Canvas source = random_canvas(7, 11, 2, 1);
  Canvas got = source;
  disk(got, 2.3);
  Canvas want(7, 11, 2);
  for (int64_t c = 0; c < 2; ++c) {
    for (int64_t y = 0; y < 7; ++y) {
      for (int64_t x = 0; x < 11; ++x) {
        float sum = 0, count = 0;
        for (int64_t dy = -2; dy <= 2; ++dy) {
          for (int64_t dx = -2; dx <= 2; ++dx) {
            if (static_cast<double>(dx * dx + dy * dy) > 2.3 * 2.3) continue;
            sum += source.row(c, border_index(y + dy, 7, Border::mirror))[border_index(x + dx, 11, Border::mirror)];
            ++count;
          }
        }
        want.row(c, y)[x] = sum / count;
      }
    }
  }
  EXPECT_THAT(got.values, Pointwise(FloatNear(1e-3F), want.values));
}

TEST(CorruptFilter, MotionDragsAPointAgainstItsDirection) {
  Canvas canvas(1, 7, 1);
  canvas.values[6] = 100;
  motion(canvas, 1, 1, 0);
  const double sum = 1 + std::exp(-0.5) + std::exp(-2);
  EXPECT_NEAR(canvas.values[6], 100, 1e-3);  // the edge is repeated
  EXPECT_NEAR(canvas.values[5], 100 * (std::exp(-0.5) + std::exp(-2)) / sum, 1e-3);
  EXPECT_NEAR(canvas.values[4], 100 * std::exp(-2) / sum, 1e-3);
  EXPECT_EQ(canvas.values[3], 0);
}

TEST(CorruptFilter, MotionDownIsMotionRightOfTheTransposedPicture) {
  const Canvas source = random_canvas(12, 12, 1, 2);
  Canvas transposed(12, 12, 1);
  const auto transpose = [](const Canvas& from, Canvas& to) {
    for (int64_t y = 0; y < 12; ++y) {
      for (int64_t x = 0; x < 12; ++x) to.row(0, x)[y] = from.row(0, y)[x];
    }
  };
  transpose(source, transposed);
  Canvas right = transposed, down = source, back(12, 12, 1);
  motion(right, 4, 2, 0);
  motion(down, 4, 2, 90);
  transpose(right, back);
  EXPECT_THAT(down.values, Pointwise(FloatNear(1e-3F), back.values));
}

TEST(CorruptFilter, ZoomByOneIsTheSamePicture) {
  const Canvas source = random_canvas(9, 6, 3, 3);
  EXPECT_THAT(zoom(source, 1).values, Pointwise(FloatNear(1e-4F), source.values));
}

TEST(CorruptPattern, LayersLieBetweenZeroAndOne) {
  for (const auto& [height, width] : {std::pair{1, 1}, {1, 33}, {40, 3}, {32, 32}, {100, 70}}) {
    Rng rng(4);
    for (const Canvas& layer : {plasma(height, width, 2, rng), value_noise(height, width, 3.5, 2, rng),
                                ice(height, width, static_cast<double>(std::min(height, width)) / 32, rng)}) {
      ASSERT_EQ(layer.values.size(), static_cast<size_t>(height * width));
      for (const float value : layer.values) ASSERT_TRUE(value >= 0 && value <= 1) << value;
    }
  }
}

// The less the noise decays, the rougher the clouds: neighbours differ more.
TEST(CorruptPattern, PlasmaIsRougherTheSlowerItDecays) {
  const auto roughness = [](double decay) {
    double sum = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed);
      const Canvas layer = plasma(32, 32, decay, rng);
      for (int64_t y = 0; y < 32; ++y) {
        for (int64_t x = 1; x < 32; ++x) {
          sum += std::abs(static_cast<double>(layer.row(0, y)[x] - layer.row(0, y)[x - 1]));
        }
      }
    }
    return sum;
  };
  EXPECT_LT(roughness(3), roughness(2));
  EXPECT_LT(roughness(2), roughness(1.3));
}

}  // namespace
}  // namespace orthant::corrupt
