#include "orthant/measure/correlation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/linalg/column_gram.h"
#include "orthant/measure/effective_rank.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Columns 0 and 1 are at right angles, column 2 is dead, column 3 is minus column 0.
const Matrix kByHand(2, 4,
                     {1, 0, 0, -1,  //
                      0, 2, 0, 0});

TEST(Correlation, ComparesLiveColumnsOfTheCaseDoneByHand) {
  const Correlation found = correlation(kByHand, {.keep_matrix = true});
  EXPECT_THAT(found.live, ElementsAre(0, 1, 3));
  EXPECT_DOUBLE_EQ(found.mean, 1.0 / 3);
  EXPECT_DOUBLE_EQ(found.median, 0);
  EXPECT_EQ(found.matrix, Matrix64(3, 3, {1, 0, -1, 0, 1, 0, -1, 0, 1}));
}

TEST(Correlation, DoesNotChangeWhenColumnsAreScaled) {
  Matrix features = test::random_features(70, 12, 0.3, false, 3);
  const Correlation before = correlation(features);
  for (int64_t i = 0; i < 70; ++i) {
    for (int64_t j = 0; j < 12; ++j) features(i, j) *= static_cast<float>(1 << j);
  }
  const Correlation after = correlation(features);
  EXPECT_NEAR(before.mean, after.mean, 1e-12);
  EXPECT_NEAR(before.median, after.median, 1e-12);
}

TEST(Correlation, IsTheSameForAnyNumberOfThreadsAndForSparseInput) {
  // More rows than the buffer and more columns than a strip.
  const Matrix dense = test::random_features(1100, 150, 0.8, true, 12);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  const Correlation one = correlation(dense, {.threads = 1});
  const Correlation three = correlation(dense, {.threads = 3});
  EXPECT_EQ(one.mean, three.mean);
  EXPECT_EQ(one.median, three.median);
  const Correlation other = correlation(sparse, {.threads = 2});
  EXPECT_EQ(one.live, other.live);
  EXPECT_NEAR(one.mean, other.mean, 1e-12);
  EXPECT_NEAR(one.median, other.median, 1e-12);
  EXPECT_EQ(other.mean, correlation(sparse, {.threads = 1}).mean);
}

TEST(Correlation, IsZeroWithoutPairs) {
  EXPECT_EQ(correlation(Matrix(3, 1, {1, 2, 3})).mean, 0);
  EXPECT_EQ(correlation(Matrix(3, 4)).median, 0);
  EXPECT_TRUE(correlation(Matrix(3, 4)).live.empty());
}

TEST(Correlation, MedianIsExact) {
  std::vector<double> odd = {5, 1, 3};
  std::vector<double> even = {4, 1, 3, 10};
  EXPECT_EQ(median(odd), 3);
  EXPECT_EQ(median(even), 3.5);
  EXPECT_EQ(median({}), 0);
}

TEST(Correlation, RejectsNothingToCompare) {
  EXPECT_THAT(test::message_of([] { correlation(Matrix(0, 2)); }), HasSubstr("expected features, got 0 x 2"));
}

TEST(Gram, IsThatOfTheNaiveTwin) {
  const Matrix dense = test::random_features(600, 70, 0.5, false, 21);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  for (const bool unit : {false, true}) {
    Matrix64 expected(70, 70);
    for (int64_t i = 0; i < 600; ++i) {
      const double length = Features(dense).row_norm(i);
      const double scale = !unit ? 1 : length > 0 ? 1 / length : 0;
      for (int64_t a = 0; a < 70; ++a) {
        for (int64_t b = 0; b < 70; ++b) expected(a, b) += scale * dense(i, a) * scale * dense(i, b);
      }
    }
    for (const Features& features : {Features(dense), Features(sparse)}) {
      const Matrix64 found = linalg::column_gram(features, {.unit_rows = unit});
      for (int64_t a = 0; a < 70; ++a) {
        for (int64_t b = 0; b < 70; ++b) ASSERT_NEAR(found(a, b), expected(a, b), 1e-10);
      }
    }
  }
}

TEST(EffectiveRank, IsTheLogarithmOfTheNumberOfEqualDirections) {
  Matrix features(40, 8);
  for (int64_t i = 0; i < 40; ++i) features(i, i % 8) = static_cast<float>(i + 1);
  EXPECT_NEAR(effective_rank(features), std::log(8), 1e-5);
  EXPECT_NEAR(effective_rank(SparseMatrix::from_dense(features)), std::log(8), 1e-5);
}

TEST(EffectiveRank, OfOneDirectionIsZeroEvenInManyColumns) {
  Matrix features(50, 64);
  for (int64_t i = 0; i < 50; ++i) {
    for (int64_t j = 0; j < 64; ++j) features(i, j) = static_cast<float>((i + 1) * (j + 1));
  }
  EXPECT_NEAR(effective_rank(features), 0, 1e-3);
}

TEST(EffectiveRank, IsTheSameForAnyNumberOfThreadsAndForSparseInput) {
  const Matrix dense = test::random_features(700, 90, 0.7, true, 31);
  const double one = effective_rank(dense, {.threads = 1});
  EXPECT_EQ(one, effective_rank(dense, {.threads = 3}));
  EXPECT_NEAR(one, effective_rank(SparseMatrix::from_dense(dense)), 1e-9);
}

TEST(EffectiveRank, TakesZerosASingleSampleAndASingleFeature) {
  EXPECT_EQ(effective_rank(Matrix(3, 2)), 0);
  EXPECT_NEAR(effective_rank(Matrix(1, 3, {1, 2, 3})), 0, 1e-5);
  EXPECT_NEAR(effective_rank(Matrix(3, 1, {1, 2, 3})), 0, 1e-5);
  EXPECT_THAT(test::message_of([] { effective_rank(Matrix(0, 2)); }), HasSubstr("got 0 x 2"));
}

}  // namespace
}  // namespace orthant::measure
