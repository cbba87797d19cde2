#include "orthant/layout/umap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "orthant/layout/pca.h"
#include "tests/layout/samples.h"
#include "tests/support/message_of.h"

namespace orthant::layout {
namespace {

using orthant::test::message_of;
using test::clusters;
using test::random_matrix;
using testing::HasSubstr;

search::Neighbours nearest_in_picture(const Matrix& points, int64_t k) {
  return search::neighbours(points, points, {.k = k, .metric = search::Metric::squared_l2, .exclude_self = true});
}

// The share of an item's nearest in the picture that have its label.
double purity(const Matrix& points, const std::vector<int64_t>& labels, int64_t k) {
  const auto found = nearest_in_picture(points, k);
  double same = 0;
  for (int64_t i = 0; i < points.rows(); ++i) {
    for (const int32_t j : found.indices.row(i)) {
      same += labels[static_cast<size_t>(i)] == labels[static_cast<size_t>(j)] ? 1 : 0;
    }
  }
  return same / static_cast<double>(found.indices.size());
}

// Trustworthiness (Venna and Kaski, 2001): one less what items near in the picture only cost, by their rank by angle.
double trustworthiness(const Matrix& features, const Matrix& points, int64_t k) {
  const int64_t rows = points.rows();
  const auto by_angle = search::neighbours(features, features, {.k = rows - 1, .exclude_self = true});
  const auto in_picture = nearest_in_picture(points, k);
  double cost = 0;
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<int64_t> rank(static_cast<size_t>(rows));
    for (int64_t n = 0; n < rows - 1; ++n) rank[static_cast<size_t>(by_angle.indices(i, n))] = n + 1;
    for (const int32_t j : in_picture.indices.row(i)) {
      cost += static_cast<double>(std::max<int64_t>(rank[static_cast<size_t>(j)] - k, 0));
    }
  }
  const auto n = static_cast<double>(rows);
  const auto near = static_cast<double>(k);
  return 1 - 2 * cost / (n * near * (2 * n - 3 * near - 1));
}

void expect_in_frame(const Matrix& points, int64_t rows) {
  ASSERT_EQ(points.rows(), rows);
  ASSERT_EQ(points.cols(), 2);
  for (const float x : points.values()) ASSERT_TRUE(x >= -1 && x <= 1) << x;
}

// Points along a curve in 20 dimensions that never meets itself.
Matrix thread_through_space(int64_t rows) {
  Matrix features(rows, 20);
  for (int64_t i = 0; i < rows; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(rows);
    for (int64_t j = 0; j < 20; ++j) {
      features(i, j) = static_cast<float>(std::exp(-200 * std::pow(t - static_cast<double>(j) / 19, 2)));
    }
  }
  return features;
}

TEST(Umap, SeparateClustersStaySeparate) {
  for (const uint64_t seed : {1U, 2U}) {
    const auto made = clusters(600, 32, 6, 0.5, seed);
    EXPECT_GT(purity(umap_layout(made.features, {.seed = seed}), made.labels, 15), 0.98);
    EXPECT_GT(purity(umap_layout(SparseMatrix::from_dense(made.features)), made.labels, 15), 0.98);
  }
}

TEST(Umap, IsTrustworthyAndMoreSoThanPca) {
  const auto made = clusters(500, 24, 8, 0.6, 3);
  const double umap = trustworthiness(made.features, umap_layout(made.features), 15);
  EXPECT_GT(umap, 0.93);
  EXPECT_GT(umap, trustworthiness(made.features, pca_layout(made.features), 15) + 0.02);
}

TEST(Umap, AThreadThroughSpaceStaysAThread) {
  const Matrix features = thread_through_space(400);
  EXPECT_GT(trustworthiness(features, umap_layout(features), 15), 0.97);
}

TEST(Umap, IsTheSameEveryTimeAndForAnyNumberOfThreads) {
  const Matrix features = random_matrix(500, 20, 0.6, 4);
  const Matrix once = umap_layout(features, {.epochs = 60, .threads = 1});
  EXPECT_EQ(once, umap_layout(features, {.epochs = 60, .threads = 1}));
  EXPECT_EQ(once, umap_layout(features, {.epochs = 60, .threads = 2}));
  EXPECT_EQ(once, umap_layout(features, {.epochs = 60, .threads = 5}));
  EXPECT_NE(once, umap_layout(features, {.epochs = 60, .seed = 1, .threads = 1}));
}

TEST(Umap, NeighboursGivenAreAsGoodAsFound) {
  const Matrix features = random_matrix(300, 20, 0.6, 5);
  const auto found = search::neighbours(features, features, {.k = 24, .exclude_self = true});
  EXPECT_EQ(umap_layout(features, {.epochs = 30}), umap_layout(features, {.epochs = 30, .neighbours = &found}));
}

TEST(Umap, LengthsOfRowsDoNotMatter) {
  const Matrix features = random_matrix(100, 16, 0.3, 7);
  Matrix scaled = features.to_owned();
  for (float& x : scaled.mutable_values()) x *= 64;
  EXPECT_EQ(umap_layout(features, {.epochs = 30}), umap_layout(scaled, {.epochs = 30}));
}

TEST(Umap, NeighboursFewerThanAskedForAreEnough) {
  for (const int64_t rows : {0, 1, 2, 3, 5, 15, 16, 17}) {
    expect_in_frame(umap_layout(random_matrix(rows, 8, 0.5, 8)), rows);
  }
}

TEST(Umap, FeaturesWithoutAnythingInThem) {
  expect_in_frame(umap_layout(Matrix(40, 0)), 40);
  expect_in_frame(umap_layout(Matrix(40, 3)), 40);
  expect_in_frame(umap_layout(SparseMatrix::from_dense(Matrix(40, 3))), 40);
}

TEST(Umap, EqualItemsLieApartInTheFrame) {
  Matrix features(100, 4);
  for (float& x : features.mutable_values()) x = 1;
  const Matrix points = umap_layout(features);
  expect_in_frame(points, 100);
  for (int64_t i = 1; i < 100; ++i) EXPECT_FALSE(points(i, 0) == points(0, 0) && points(i, 1) == points(0, 1));
}

TEST(Umap, CopiesOfAnItemLieTogether) {
  Matrix features = random_matrix(300, 24, 0.5, 9);
  for (int64_t i = 200; i < 212; ++i) std::ranges::copy(features.row(200), features.mutable_row(i).begin());
  std::vector<int64_t> labels(300);
  std::iota(labels.begin(), labels.end(), 0);
  for (size_t i = 200; i < 212; ++i) labels[i] = 200;
  const auto found = nearest_in_picture(umap_layout(features), 11);
  int copies = 0;
  for (int64_t i = 200; i < 212; ++i) {
    for (const int32_t j : found.indices.row(i)) copies += labels[static_cast<size_t>(j)] == 200 ? 1 : 0;
  }
  EXPECT_GT(copies, 12 * 11 * 8 / 10);
}

// Half of the columns for half of the items: no path leads from one to the other.
TEST(Umap, AGraphInPiecesIsDrawnInPieces) {
  auto made = clusters(200, 10, 1, 0.5, 10);
  Matrix features(200, 20);
  std::vector<int64_t> labels(200);
  for (int64_t i = 0; i < 200; ++i) {
    labels[static_cast<size_t>(i)] = i % 2;
    for (int64_t j = 0; j < 10; ++j) features(i, j + 10 * (i % 2)) = made.features(i, j) + 0.1F;
  }
  std::ranges::fill(features.mutable_row(0), 0.0F);
  EXPECT_GT(purity(umap_layout(features), labels, 10), 0.98);
}

TEST(Umap, ItemsWithoutFeaturesAreOneIsland) {
  auto made = clusters(400, 24, 4, 0.5, 11);
  for (int64_t i = 0; i < 400; i += 10) {
    std::ranges::fill(made.features.mutable_row(i), 0.0F);
    made.labels[static_cast<size_t>(i)] = 99;
  }
  EXPECT_GT(purity(umap_layout(made.features), made.labels, 10), 0.98);
}

TEST(Umap, ExtremeValuesStayInTheFrame) {
  Matrix features = random_matrix(60, 6, 0.3, 12);
  for (int64_t i = 0; i < 60; ++i) {
    for (float& x : features.mutable_row(i)) x *= i % 2 == 0 ? 1e30F : 1e-30F;
  }
  expect_in_frame(umap_layout(features), 60);
}

TEST(Umap, TellsOfItsProgressUntilTheEnd) {
  const Matrix features = random_matrix(300, 20, 0.6, 13);
  int64_t last = 0;
  bool rises = true;
  umap_layout(features, {.epochs = 50, .progress = [&](int64_t done, int64_t total) {
                           rises = rises && done >= last && done <= total && total == 1000;
                           last = done;
                         }});
  EXPECT_TRUE(rises);
  EXPECT_EQ(last, 1000);
}

TEST(Umap, ProgressThatThrowsEndsTheWork) {
  const Matrix features = random_matrix(300, 20, 0.6, 14);
  for (const int64_t at : {0, 700}) {
    const auto stop = [&](int64_t done, int64_t) {
      if (done >= at) throw std::runtime_error("enough");
    };
    EXPECT_EQ(message_of([&] { umap_layout(features, {.progress = stop}); }), "enough");
  }
}

TEST(Umap, RefusesOptionsOutOfRangeAndWhatIsNotFinite) {
  Matrix features = random_matrix(10, 4, 0.5, 15);
  const auto message = [&](const UmapOptions& options) { return message_of([&] { umap_layout(features, options); }); };
  EXPECT_THAT(message({.k = 0}), HasSubstr("[umap_layout] expected k of at least 1, got 0"));
  EXPECT_THAT(message({.min_dist = -0.1}), HasSubstr("expected min_dist from 0 to 1, got -0.1"));
  EXPECT_THAT(message({.min_dist = std::numeric_limits<double>::quiet_NaN()}), HasSubstr("min_dist"));
  EXPECT_THAT(message({.epochs = -1}), HasSubstr("epochs, got -1"));
  features(3, 2) = std::numeric_limits<float>::infinity();
  EXPECT_THAT(message({}), HasSubstr("[umap_layout] expected finite features, got 1"));
}

}  // namespace
}  // namespace orthant::layout
