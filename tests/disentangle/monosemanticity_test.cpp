#include "orthant/disentangle/monosemanticity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::message_of;
using ::testing::HasSubstr;

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed, double zeros, bool negative) {
  Rng rng(seed);
  Matrix matrix(rows, cols);
  for (float& x : matrix.mutable_values()) {
    x = static_cast<float>(negative ? rng.normal() : std::abs(rng.normal()));
    if (rng.bernoulli(zeros)) x = 0;
  }
  return matrix;
}

// The definition, pair by pair.
double by_pairs(const Matrix& features, const Matrix& reference, int64_t k) {
  double low = features(0, k);
  double high = low;
  for (int64_t i = 0; i < features.rows(); ++i) {
    low = std::min<double>(low, features(i, k));
    high = std::max<double>(high, features(i, k));
  }
  double above = 0;
  double below = 0;
  for (int64_t i = 0; i < features.rows(); ++i) {
    for (int64_t j = 0; j < i; ++j) {
      double product = 0, first = 0, second = 0;
      for (int64_t f = 0; f < reference.cols(); ++f) {
        const double x = reference(i, f);
        const double y = reference(j, f);
        product += x * y;
        first += x * x;
        second += y * y;
      }
      const double weight = (features(i, k) - low) / (high - low) * (features(j, k) - low) / (high - low);
      above += weight * product / std::sqrt(first * second);
      below += weight;
    }
  }
  return above / below;
}

TEST(Monosemanticity, IsTheMeanCosineOfTheItemsThatAFeatureIsOnFor) {
  // Feature 0 is on for two items that are alike and half for one across; feature 1 for two that are opposite.
  const Matrix features(4, 3, {2, 0, 0, 2, 0, 0, 1, 3, 0, 0, 3, 1});
  const Matrix reference(4, 2, {1, 0, 5, 0, 0, 2, 0, -1});
  const Monosemanticity found = monosemanticity(features, reference);
  EXPECT_NEAR(found.scores[0], (1 * 1 + 0.5 * 0 + 0.5 * 0) / (1 + 0.5 + 0.5), 1e-15);
  EXPECT_NEAR(found.scores[1], -1, 1e-15);
  EXPECT_TRUE(std::isnan(found.scores[2]));  // on for one item only
  EXPECT_EQ(found.features, 2);
  EXPECT_NEAR(found.mean, -0.25, 1e-15);
  EXPECT_NEAR(found.chance, (1 + 0 + 0 + 0 + 0 - 1) / 6.0, 1e-15);
  EXPECT_NEAR(found.lowest_tenth, -1, 1e-15);
}

TEST(Monosemanticity, LeavesOutFeaturesWhoseSecondItemIsRounding) {
  const Monosemanticity found =
      monosemanticity(Matrix(4, 2, {1, 1, 1e-17F, 1, 0, 0, 0, 0}), Matrix(4, 2, {1, 0, 1, 0, 0, 1, 0, 1}));
  EXPECT_TRUE(std::isnan(found.scores[0]));
  EXPECT_EQ(found.features, 1);
  EXPECT_NEAR(found.mean, 1, 1e-15);
}

TEST(Monosemanticity, EqualsTheQuadraticDefinition) {
  for (const bool negative : {false, true}) {
    const Matrix features = random_matrix(60, 12, 1, 0.7, negative);
    const Matrix reference = random_matrix(60, 40, 2, 0, true);
    const SparseMatrix sparse = SparseMatrix::from_dense(features);
    const Monosemanticity found = monosemanticity(features, reference);
    EXPECT_EQ(found.features, 12);
    for (int64_t k = 0; k < 12; ++k) {
      EXPECT_NEAR(found.scores[static_cast<size_t>(k)], by_pairs(features, reference, k), 1e-12);
    }
    for (const int threads : {1, 2}) {
      const Monosemanticity same = monosemanticity(sparse, SparseMatrix::from_dense(reference), {.threads = threads});
      EXPECT_EQ(same.scores, found.scores);
    }
  }
}

TEST(Monosemanticity, ChanceIsTheMeanOverShuffles) {
  const Matrix features = random_matrix(30, 5, 3, 0.5, false);
  const Matrix reference = random_matrix(30, 6, 4, 0, false);
  double sum = 0;
  Rng rng(5);
  constexpr int kShuffles = 400;
  for (int s = 0; s < kShuffles; ++s) {
    std::vector<int64_t> order(30);
    for (size_t i = 0; i < 30; ++i) order[i] = static_cast<int64_t>(i);
    for (size_t i = 29; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    Matrix shuffled(30, 6);
    for (int64_t i = 0; i < 30; ++i) {
      for (int64_t f = 0; f < 6; ++f) shuffled(i, f) = reference(order[static_cast<size_t>(i)], f);
    }
    sum += monosemanticity(features, shuffled).mean;
  }
  EXPECT_NEAR(monosemanticity(features, reference).chance, sum / kShuffles, 0.005);
}

TEST(Monosemanticity, LeavesOutItemsWithoutADirection) {
  const Matrix features(3, 1, {1, 1, 1e6F});
  const Matrix reference(3, 2, {1, 0, 1, 0, 0, 0});
  EXPECT_THAT(message_of([&] { monosemanticity(Matrix(3, 1, {1, 0, 0}), Matrix(3, 2)); }), HasSubstr("got 0"));
  const Monosemanticity found = monosemanticity(Matrix(3, 1, {1, 2, 0}), Matrix(3, 2, {1, 0, 1, 0, 0, 3}));
  EXPECT_EQ(found.items, 3);
  EXPECT_NEAR(found.scores[0], 1, 1e-15);
  EXPECT_EQ(monosemanticity(features, reference).items, 2);
  EXPECT_EQ(monosemanticity(features, reference).features, 0);  // the same for both that are left
  EXPECT_THAT(message_of([&] { monosemanticity(features, Matrix(2, 2)); }),
              HasSubstr("expected a reference of 3 rows, as the features have, got 2"));
}

}  // namespace
}  // namespace orthant::disentangle
