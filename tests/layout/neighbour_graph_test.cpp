#include "orthant/layout/neighbour_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/layout/samples.h"
#include "tests/support/message_of.h"

namespace orthant::layout {
namespace {

using orthant::test::message_of;
using test::random_matrix;
using testing::HasSubstr;

search::Neighbours searched(const Matrix& features, int64_t k) {
  return search::neighbours(features, features, {.k = k, .exclude_self = true});
}

SparseMatrix graph_of(const Matrix& features, int64_t k, int threads = 0) {
  return neighbour_graph(features, searched(features, k), k, threads);
}

// The oracle: sigma from a fine search over its logarithm, the union written out as a dense matrix.
Matrix64 naive_graph(const search::Neighbours& found) {
  const int64_t rows = found.queries();
  Matrix64 one_way(rows, rows);
  for (int64_t i = 0; i < rows; ++i) {
    double rho = 10;
    for (const float s : found.scores.row(i)) rho = s < 1 ? std::min(rho, 1 - static_cast<double>(s)) : rho;
    const auto weight = [&](int64_t n, double sigma) {
      return std::exp(-std::max(0.0, 1 - static_cast<double>(found.scores(i, n)) - rho) / sigma);
    };
    double low = 1e-9;
    double high = 1e9;
    for (int step = 0; step < 200; ++step) {
      const double middle = std::sqrt(low * high);
      double sum = 0;
      for (int64_t n = 0; n < found.k(); ++n) sum += weight(n, middle);
      (sum > std::log2(static_cast<double>(found.k())) ? high : low) = middle;
    }
    for (int64_t n = 0; n < found.k(); ++n) one_way(i, found.indices(i, n)) = weight(n, low);
  }
  Matrix64 both(rows, rows);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < rows; ++j) {
      both(i, j) = one_way(i, j) + one_way(j, i) - one_way(i, j) * one_way(j, i);
    }
  }
  return both;
}

TEST(NeighbourGraph, IsTheWrittenOutUnionOfWeights) {
  const Matrix features = random_matrix(80, 10, 0.2, 1);
  for (const int64_t k : {3, 15}) {
    const Matrix64 naive = naive_graph(searched(features, k));
    const Matrix graph = graph_of(features, k).to_dense();
    for (int64_t i = 0; i < 80; ++i) {
      for (int64_t j = 0; j < 80; ++j) ASSERT_NEAR(graph(i, j), naive(i, j), 1e-4) << i << " " << j << " " << k;
    }
  }
}

TEST(NeighbourGraph, IsSymmetricWithWeightsUpToOneAndNoneToOneself) {
  Matrix features = random_matrix(200, 12, 0.6, 2);
  for (int64_t i = 100; i < 130; ++i) std::ranges::copy(features.row(i - 100), features.mutable_row(i).begin());
  const Matrix graph = graph_of(features, 7).to_dense();
  for (int64_t i = 0; i < 200; ++i) {
    EXPECT_EQ(graph(i, i), 0);
    for (int64_t j = 0; j < 200; ++j) {
      EXPECT_EQ(graph(i, j), graph(j, i));
      EXPECT_TRUE(graph(i, j) >= 0 && graph(i, j) <= 1);
    }
  }
}

TEST(NeighbourGraph, TheNearestNeighbourWeighsOne) {
  const Matrix features = random_matrix(100, 12, 0.3, 3);
  const auto found = searched(features, 5);
  const Matrix graph = neighbour_graph(features, found, 5, 0).to_dense();
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(graph(i, found.indices(i, 0)), 1);
}

TEST(NeighbourGraph, ItemsWithoutFeaturesAreEachOthersOnly) {
  Matrix features = random_matrix(40, 6, 0.2, 4);
  for (const int64_t i : {0, 7, 21, 39}) std::ranges::fill(features.mutable_row(i), 0.0F);
  const SparseMatrix graph = graph_of(features, 5);
  for (const int32_t i : {0, 7, 21, 39}) {
    const auto row = graph.row(i);
    EXPECT_EQ(row.indices.size(), 3U);
    for (size_t n = 0; n < row.indices.size(); ++n) {
      EXPECT_THAT((std::vector<int32_t>{0, 7, 21, 39}), testing::Contains(row.indices[n]));
      EXPECT_GT(row.values[n], 0.5);
    }
  }
}

TEST(NeighbourGraph, EqualItemsShareTheWeightOfACrowd) {
  const double one_way = std::log2(3.0) / 3;
  for (const Matrix& features : {Matrix(4, 2, {1, 2, 2, 4, 4, 8, 1, 2}),                             // equal
                                 Matrix(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})}) {  // equally far
    const SparseMatrix graph = graph_of(features, 3);
    EXPECT_EQ(graph.nnz(), 12);
    for (const float w : graph.values()) EXPECT_NEAR(w, 2 * one_way - one_way * one_way, 1e-6);
  }
}

TEST(NeighbourGraph, OfNoneOneAndTwo) {
  EXPECT_EQ(graph_of(Matrix(0, 3), 15).nnz(), 0);
  EXPECT_EQ(graph_of(Matrix(1, 3, {1, 2, 3}), 15).nnz(), 0);
  EXPECT_EQ(graph_of(Matrix(2, 2, {1, 0, 1, 1}), 15), SparseMatrix(2, 2, {0, 1, 2}, {1, 0}, {1, 1}));
}

TEST(NeighbourGraph, TakesTheFirstOfMoreNeighbours) {
  const Matrix features = random_matrix(100, 12, 0.3, 5);
  EXPECT_EQ(neighbour_graph(features, searched(features, 24), 6, 0), graph_of(features, 6));
}

TEST(NeighbourGraph, ThreadsDoNotChangeABit) {
  const Matrix features = random_matrix(600, 12, 0.3, 6);
  EXPECT_EQ(graph_of(features, 8, 1), graph_of(features, 8, 3));
}

TEST(NeighbourGraph, RefusesNeighboursThatDoNotFit) {
  const Matrix features = random_matrix(10, 4, 0.3, 7);
  const auto good = searched(features, 4);
  const auto message = [&](const search::Neighbours& given, int64_t k) {
    return message_of([&] { neighbour_graph(features, given, k, 0); });
  };
  EXPECT_THAT(message(searched(random_matrix(9, 4, 0.3, 7), 4), 4),
              HasSubstr("expected neighbours of 10 items, got 9"));
  EXPECT_THAT(message(good, 5), HasSubstr("expected at least 5 neighbours of each item, got 4"));
  auto bad = good;
  bad.self_excluded = false;
  EXPECT_THAT(message(bad, 4), HasSubstr("without the item itself"));
  bad = good;
  bad.indices(3, 1) = 10;
  EXPECT_THAT(message(bad, 4), HasSubstr("expected neighbours below 10"));
  bad.indices(3, 1) = -1;
  EXPECT_THAT(message(bad, 4), HasSubstr("expected neighbours below 10"));
  bad = good;
  bad.scores(2, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message(bad, 4), HasSubstr("finite scores"));
  bad = good;
  bad.scores = Matrix(10, 3);
  EXPECT_THAT(message(bad, 4), HasSubstr("[umap_layout]"));
}

}  // namespace
}  // namespace orthant::layout
