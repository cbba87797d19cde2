#include "orthant/sources/outline.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "orthant/core/rng.h"

namespace orthant {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;

const std::vector<Point> kUnitSquare = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

std::vector<float> covered(const Outline& outline, const Placement& placement, int64_t height, int64_t width) {
  std::vector<float> coverage(static_cast<size_t>(height * width));
  cover(outline, placement, height, width, coverage);
  return coverage;
}

TEST(Outline, CoversPartsOfPixelsByTheirArea) {
  const auto coverage = covered(Outline().add(kUnitSquare), {.x = 1.5, .y = 1.25}, 3, 3);
  EXPECT_THAT(coverage, ElementsAre(0.375F, 0.75F, 0.375F, 0.5F, 1, 0.5F, 0.125F, 0.25F, 0.125F));
}

TEST(Outline, CutsHolesWhateverTheOrientation) {
  std::vector<Point> hole = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<uint8_t> pixels(36);
    fill(Outline().add(kUnitSquare).cut(hole), {.x = 3, .y = 3, .scale = 2}, 6, 6, pixels);
    EXPECT_EQ(pixels[2 * 6 + 2], 0);
    EXPECT_EQ(pixels[1 * 6 + 1], 255);
    EXPECT_EQ(std::count(pixels.begin(), pixels.end(), 255), 12);
    std::reverse(hole.begin(), hole.end());
  }
}

TEST(Outline, CountsOverlappingPartsOnce) {
  const auto coverage = covered(Outline().add(kUnitSquare).add(kUnitSquare), {.x = 1, .y = 1}, 2, 2);
  EXPECT_THAT(coverage, Each(FloatNear(1, 1e-6F)));
}

TEST(Outline, IsCutOffAtTheEdgesOfThePicture) {
  EXPECT_THAT(covered(Outline().add(kUnitSquare), {.x = 2, .y = 2, .scale = 100}, 4, 4), Each(FloatNear(1, 1e-6F)));
  for (const double x : {-50.0, 50.0}) {
    EXPECT_THAT(covered(Outline().add(kUnitSquare), {.x = x, .y = 2}, 4, 4), Each(FloatNear(0, 1e-6F)));
    EXPECT_THAT(covered(Outline().add(kUnitSquare), {.x = 2, .y = x}, 4, 4), Each(FloatNear(0, 1e-6F)));
  }
}

TEST(Outline, RotatesAnticlockwise) {
  const Outline bar = Outline().add({{0, -0.5}, {4, -0.5}, {4, 0.5}, {0, 0.5}});
  std::vector<uint8_t> pixels(81);
  fill(bar, {.x = 4.5, .y = 4.5, .angle = std::numbers::pi / 2}, 9, 9, pixels);
  EXPECT_EQ(pixels[1 * 9 + 4], 255);
  EXPECT_EQ(pixels[7 * 9 + 4], 0);
}

TEST(Outline, FillsThePixelsWhoseCentreIsInsideLikeANaiveTest) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Point> corners;
    for (int i = 0; i < 5; ++i) corners.push_back({rng.uniform(-2, 12), rng.uniform(-2, 12)});
    const Outline outline = Outline().add(corners);
    std::vector<uint8_t> pixels(100);
    fill(outline, {}, 10, 10, pixels);
    for (int y = 0; y < 10; ++y) {
      for (int x = 0; x < 10; ++x) {
        double winding = 0;
        for (size_t i = 0; i < corners.size(); ++i) {
          const Point p = {corners[i].x - x - 0.5, corners[i].y - y - 0.5};
          const Point& next = corners[(i + 1) % corners.size()];
          const Point q = {next.x - x - 0.5, next.y - y - 0.5};
          winding += std::atan2(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
        }
        EXPECT_EQ(pixels[static_cast<size_t>(y * 10 + x)] == 255, std::abs(winding) > 1)
            << round << " " << y << " " << x;
      }
    }
  }
}

TEST(Outline, CoverageAddsUpToTheArea) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    const double scale = rng.uniform(3, 9);
    const Placement placement = {
        .x = rng.uniform(14, 18), .y = rng.uniform(14, 18), .scale = scale, .angle = rng.uniform(0, 7)};
    const auto coverage = covered(Outline().add(kUnitSquare), placement, 32, 32);
    EXPECT_NEAR(std::accumulate(coverage.begin(), coverage.end(), 0.0), 4 * scale * scale, 0.02 * 4 * scale * scale);
  }
}

TEST(Outline, RejectsContoursThatAreNoSurface) {
  EXPECT_THROW(Outline().add({{0, 0}, {1, 1}}), std::invalid_argument);
  EXPECT_THROW(Outline().fit(1), std::invalid_argument);
  std::vector<float> small(3);
  EXPECT_THROW(cover(Outline().add(kUnitSquare), {}, 2, 2, small), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
