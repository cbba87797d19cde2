#include "orthant/layout/pca.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/linalg/principal.h"
#include "tests/layout/samples.h"
#include "tests/support/message_of.h"

namespace orthant::layout {
namespace {

using test::random_matrix;
using testing::HasSubstr;

// The oracle: the covariance written out, its eigenvectors by Jacobi's rotations.
struct Oracle {
  std::vector<double> variances;
  Matrix64 axes;
};

Matrix64 naive_covariance(const Matrix& features) {
  Matrix64 unit(features.rows(), features.cols());
  std::vector<double> mean(static_cast<size_t>(features.cols()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    double square = 0;
    for (const float x : features.row(i)) square += static_cast<double>(x) * x;
    for (int64_t j = 0; j < features.cols(); ++j) {
      unit(i, j) = square > 0 ? features(i, j) / std::sqrt(square) : 0;
      mean[static_cast<size_t>(j)] += unit(i, j) / static_cast<double>(features.rows());
    }
  }
  Matrix64 covariance(features.cols(), features.cols());
  for (int64_t i = 0; i < features.rows(); ++i) {
    for (int64_t a = 0; a < features.cols(); ++a) {
      for (int64_t b = 0; b < features.cols(); ++b) {
        covariance(a, b) += (unit(i, a) - mean[static_cast<size_t>(a)]) * (unit(i, b) - mean[static_cast<size_t>(b)]) /
                            static_cast<double>(features.rows());
      }
    }
  }
  return covariance;
}

void rotate(Matrix64& matrix, Matrix64& vectors, int64_t p, int64_t q) {
  if (matrix(p, q) == 0) return;
  const double theta = (matrix(q, q) - matrix(p, p)) / (2 * matrix(p, q));
  const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  const int64_t n = matrix.rows();
  for (int64_t k = 0; k < n; ++k) {
    const double kp = matrix(k, p);
    const double kq = matrix(k, q);
    matrix(k, p) = c * kp - s * kq;
    matrix(k, q) = s * kp + c * kq;
  }
  for (int64_t k = 0; k < n; ++k) {
    const double pk = matrix(p, k);
    const double qk = matrix(q, k);
    matrix(p, k) = c * pk - s * qk;
    matrix(q, k) = s * pk + c * qk;
    const double vp = vectors(p, k);
    const double vq = vectors(q, k);
    vectors(p, k) = c * vp - s * vq;
    vectors(q, k) = s * vp + c * vq;
  }
}

Oracle naive_components(const Matrix& features) {
  Matrix64 matrix = naive_covariance(features);
  const int64_t n = matrix.rows();
  Matrix64 vectors(n, n);
  for (int64_t i = 0; i < n; ++i) vectors(i, i) = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t q = p + 1; q < n; ++q) rotate(matrix, vectors, p, q);
    }
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int64_t a, int64_t b) { return matrix(a, a) > matrix(b, b); });
  Oracle oracle{.variances = {matrix(order[0], order[0]), matrix(order[1], order[1])}, .axes = Matrix64(2, n)};
  for (int64_t c = 0; c < 2; ++c) {
    const auto vector = vectors.row(order[static_cast<size_t>(c)]);
    const double largest =
        *std::max_element(vector.begin(), vector.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    for (int64_t j = 0; j < n; ++j) {
      oracle.axes(c, j) = vector[static_cast<size_t>(j)] * (largest < 0 ? -1 : 1);
    }
  }
  return oracle;
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (size_t n = 0; n < a.values().size(); ++n) ASSERT_NEAR(a.values()[n], b.values()[n], tolerance) << n;
}

// Rows that vary much along two directions, less along the others.
Matrix stretched(int64_t rows, int64_t cols, uint64_t seed) {
  Rng rng(seed);
  const Matrix directions = random_matrix(3, cols, 0.5, seed + 1);
  Matrix features(rows, cols);
  for (int64_t i = 0; i < rows; ++i) {
    const double along[] = {3 * rng.uniform(), 1.5 * rng.uniform(), 0.5};
    for (int64_t j = 0; j < cols; ++j) {
      double sum = rng.bernoulli(0.9) ? 0 : 0.2 * rng.uniform();
      for (int64_t k = 0; k < 3; ++k) sum += along[k] * static_cast<double>(directions(k, j));
      features(i, j) = static_cast<float>(sum);
    }
  }
  return features;
}

TEST(Pca, ComponentsAreThoseOfTheWrittenOutCovariance) {
  for (const uint64_t seed : {1U, 2U, 3U}) {
    Matrix features = random_matrix(60, 12, 0.5, seed);
    std::ranges::fill(features.mutable_row(7), 0.0F);
    const Oracle oracle = naive_components(features);
    const linalg::PrincipalComponents components = linalg::principal_components(features, 2);
    for (int64_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(components.variances[static_cast<size_t>(c)], oracle.variances[static_cast<size_t>(c)], 1e-12);
      for (int64_t j = 0; j < features.cols(); ++j) EXPECT_NEAR(components.axes(c, j), oracle.axes(c, j), 1e-8);
    }
  }
}

TEST(Pca, ScoresHaveTheVarianceOfTheirComponentAndMeanZero) {
  const Matrix features = random_matrix(200, 30, 0.7, 4);
  const linalg::PrincipalComponents components = linalg::principal_components(features, 1);
  const Matrix64 points = linalg::scores(components, features, 1);
  for (int64_t c = 0; c < 2; ++c) {
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < points.rows(); ++i) {
      sum += points(i, c);
      squares += points(i, c) * points(i, c);
    }
    EXPECT_NEAR(sum / 200, 0, 1e-12);
    EXPECT_NEAR(squares / 200, components.variances[static_cast<size_t>(c)], 1e-12);
  }
}

TEST(Pca, ByHandPointsOnACircleArcUnrollAlongItsChord) {
  // Directions at -30, 0 and 30 degrees: the chord is the second axis, where the first loading is 0.
  const auto root = static_cast<float>(std::sqrt(3.0));
  const Matrix points = pca_layout(Matrix(3, 2, {root, -1, 5, 0, root, 1}));
  EXPECT_NEAR(points(0, 0), -1, 1e-6);
  EXPECT_NEAR(points(1, 0), 0, 1e-6);
  EXPECT_NEAR(points(2, 0), 1, 1e-6);
  EXPECT_NEAR(points(0, 1), points(2, 1), 1e-6);
  EXPECT_NEAR(points(1, 1) - points(0, 1), 2 * (1 - std::sqrt(3.0) / 2), 1e-6);
}

TEST(Pca, SparseEqualsDense) {
  for (const int64_t cols : {40, 1500}) {
    const Matrix features = random_matrix(150, cols, 0.9, 5);
    expect_near(pca_layout(features), pca_layout(SparseMatrix::from_dense(features)), 1e-5);
  }
}

TEST(Pca, ThreadsDoNotChangeABit) {
  for (const int64_t cols : {70, 1100}) {
    const Matrix features = random_matrix(700, cols, 0.8, 6);
    const SparseMatrix sparse = SparseMatrix::from_dense(features);
    EXPECT_EQ(pca_layout(features, {.threads = 1}), pca_layout(features, {.threads = 2}));
    EXPECT_EQ(pca_layout(sparse, {.threads = 1}), pca_layout(sparse, {.threads = 3}));
  }
}

TEST(Pca, LengthsOfRowsDoNotMatter) {
  const Matrix features = random_matrix(100, 16, 0.3, 7);
  Matrix scaled = features.to_owned();
  for (int64_t i = 0; i < scaled.rows(); ++i) {
    for (float& x : scaled.mutable_row(i)) x *= static_cast<float>(std::exp2(i % 9 - 4));
  }
  expect_near(pca_layout(features), pca_layout(scaled), 1e-6);
}

TEST(Pca, TurningTheFeaturesTurnsNothingButSigns) {
  const Matrix features = stretched(120, 8, 8);
  Matrix turned = features.to_owned();
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  for (int64_t i = 0; i < turned.rows(); ++i) {
    for (int64_t j = 0; j < 8; j += 2) {
      turned(i, j) = static_cast<float>(c * features(i, j) - s * features(i, j + 1));
      turned(i, j + 1) = static_cast<float>(s * features(i, j) + c * features(i, j + 1));
    }
  }
  const Matrix before = pca_layout(features);
  const Matrix after = pca_layout(turned);
  for (int64_t axis = 0; axis < 2; ++axis) {
    double worst_same = 0;
    double worst_flipped = 0;
    for (int64_t i = 0; i < before.rows(); ++i) {
      worst_same = std::max(worst_same, static_cast<double>(std::abs(before(i, axis) - after(i, axis))));
      worst_flipped = std::max(worst_flipped, static_cast<double>(std::abs(before(i, axis) + after(i, axis))));
    }
    EXPECT_LT(std::min(worst_same, worst_flipped), 1e-4);
  }
}

// Columns of zeros change no covariance, but the way it is worked on.
TEST(Pca, WideFeaturesGetTheComponentsOfTheNarrow) {
  const Matrix narrow = stretched(200, 50, 9);
  Matrix wide(200, 1300);
  for (int64_t i = 0; i < 200; ++i) {
    for (int64_t j = 0; j < 50; ++j) wide(i, 26 * j) = narrow(i, j);
  }
  expect_near(pca_layout(narrow), pca_layout(wide), 1e-4);
  expect_near(pca_layout(narrow), pca_layout(SparseMatrix::from_dense(wide)), 1e-4);
}

TEST(Pca, WhatDoesNotVaryIsDrawnAtTheMiddle) {
  EXPECT_EQ(pca_layout(Matrix(0, 5)), Matrix(0, 2));
  EXPECT_EQ(pca_layout(Matrix(4, 0)), Matrix(4, 2));
  EXPECT_EQ(pca_layout(Matrix(1, 3, {1, 2, 3})), Matrix(1, 2));
  EXPECT_EQ(pca_layout(Matrix(3, 2)), Matrix(3, 2));
  EXPECT_EQ(pca_layout(Matrix(3, 1, {1, 2, 3})), Matrix(3, 2));
  for (const int64_t cols : {3, 1100}) {
    Matrix equal(50, cols);
    for (int64_t i = 0; i < 50; ++i) {
      for (int64_t j = 0; j < cols; ++j) equal(i, j) = static_cast<float>(i + 1) * (0.1F + static_cast<float>(j % 7));
    }
    EXPECT_EQ(pca_layout(equal), Matrix(50, 2)) << cols;
  }
}

// All directions vary equally: any will do, but there must be one.
TEST(Pca, OrthogonalItemsAreDrawn) {
  for (const int64_t rows : {3, 40, 400, 1100}) {
    Matrix features(rows, rows);
    for (int64_t i = 0; i < rows; ++i) features(i, i) = 1;
    const linalg::PrincipalComponents components = linalg::principal_components(features, 2);
    for (const double variance : components.variances) EXPECT_NEAR(variance * static_cast<double>(rows), 1, 1e-9);
    const Matrix points = pca_layout(features);
    for (const float x : points.values()) ASSERT_TRUE(x >= -1 && x <= 1) << x;
  }
}

TEST(Pca, TwoItemsLieAtTheEndsOfALine) {
  const Matrix points = pca_layout(Matrix(2, 2, {1, 0, 0, 1}));
  EXPECT_NEAR(std::abs(points(0, 0)), 1, 1e-6);
  EXPECT_NEAR(points(0, 0), -points(1, 0), 1e-6);
  EXPECT_EQ(points(0, 1), 0);
}

TEST(Pca, RefusesWhatIsNotFinite) {
  const Matrix features(1, 2, {1, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_THAT(orthant::test::message_of([&] { pca_layout(features); }), HasSubstr("pca_layout"));
}

}  // namespace
}  // namespace orthant::layout
