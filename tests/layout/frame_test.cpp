#include "orthant/layout/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/core/rng.h"

namespace orthant::layout {
namespace {

TEST(Frame, FillsTheSquareWithTheLongerSideAndCentresTheOther) {
  const Matrix framed = frame(Matrix64(3, 2, {10, 5, 14, 6, 12, 5.5}));
  EXPECT_EQ(framed, Matrix(3, 2, {-1, -0.25, 1, 0.25, 0, 0}));
}

TEST(Frame, DrawsNothingOnePointAndEqualPointsAtTheMiddle) {
  EXPECT_EQ(frame(Matrix64(0, 2)), Matrix(0, 2));
  EXPECT_EQ(frame(Matrix64(1, 2, {3, -7})), Matrix(1, 2));
  EXPECT_EQ(frame(Matrix64(3, 2, {3, -7, 3, -7, 3, -7})), Matrix(3, 2));
}

Matrix64 with_outliers(const std::vector<double>& far) {
  Rng rng(1);
  Matrix64 points(1000 + static_cast<int64_t>(far.size()), 2);
  for (int64_t i = 0; i < 1000; ++i) {
    for (int64_t axis = 0; axis < 2; ++axis) points(i, axis) = rng.uniform(-1, 1);
  }
  for (size_t n = 0; n < far.size(); ++n) points(1000 + static_cast<int64_t>(n), 0) = far[n];
  return points;
}

TEST(Frame, FewOutliersDoNotSquashTheOthers) {
  const Matrix framed = frame(with_outliers({1e6, 3, 1e300, -5}));
  float widest = 0;
  for (int64_t i = 0; i < 1000; ++i) widest = std::max(widest, std::abs(framed(i, 0)));
  EXPECT_NEAR(widest, 0.95, 0.01);
  for (const float x : framed.values()) EXPECT_LE(std::abs(x), 1);
}

TEST(Frame, KeepsTheOrderOfOutliers) {
  const Matrix framed = frame(with_outliers({2.5, 2.6, 2.7, -3}));
  EXPECT_LT(0.95F, framed(1000, 0));
  EXPECT_LT(framed(1000, 0), framed(1001, 0));
  EXPECT_LT(framed(1001, 0), framed(1002, 0));
  EXPECT_LT(framed(1003, 0), -0.95F);
}

TEST(Frame, ASmallIslandIsNoOutlier) {
  std::vector<double> far(20, 5.0);  // 2 % of the points
  const Matrix framed = frame(with_outliers(far));
  EXPECT_EQ(framed(1000, 0), 1);
  EXPECT_NEAR(framed(0, 1) - framed(1, 1), (with_outliers(far)(0, 1) - with_outliers(far)(1, 1)) / 3, 1e-2);
}

TEST(Frame, PointsBesideManyEqualOnesAreSeen) {
  Matrix64 points(1000, 2);
  points(3, 0) = 1;
  points(4, 1) = 2;
  const Matrix framed = frame(points);
  EXPECT_EQ(framed(3, 0), 0.5F);
  EXPECT_EQ(framed(4, 1), 1);
}

TEST(Frame, DoesNotDependOnPlaceAndSize) {
  Matrix64 points = with_outliers({4, 9});
  const Matrix before = frame(points);
  for (double& x : points.mutable_values()) x = 256 * x - 64;
  const Matrix after = frame(points);
  for (size_t n = 0; n < before.values().size(); ++n) EXPECT_NEAR(before.values()[n], after.values()[n], 1e-5);
}

}  // namespace
}  // namespace orthant::layout
