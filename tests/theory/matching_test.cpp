#include "orthant/theory/matching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"

namespace orthant::theory {
namespace {

Matrix64 random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix64 matrix(rows, cols);
  Rng rng(seed);
  for (double& value : matrix.mutable_values()) value = rng.normal();
  return matrix;
}

TEST(MatchColumns, UndoesAPermutationWithScalesAndSigns) {
  const Matrix64 truth = random_matrix(20, 4, 1);
  Matrix64 found(20, 4);
  const int64_t order[] = {2, 0, 3, 1};
  const double scale[] = {3, -0.5, 1e-6, -20};
  for (int64_t i = 0; i < 20; ++i) {
    for (int64_t j = 0; j < 4; ++j) found(i, order[j]) = scale[j] * truth(i, j);
  }
  const MatchedColumns matched = match_columns(truth, found);
  EXPECT_EQ(matched.permutation, std::vector<int64_t>(order, order + 4));
  EXPECT_NEAR(matched.min, 1, 1e-12);
  EXPECT_NEAR(matched.mean, 1, 1e-12);
  const Matrix64 reordered = reorder_columns(truth, found);
  for (int64_t i = 0; i < 20; ++i) {
    for (int64_t j = 0; j < 4; ++j) EXPECT_NEAR(reordered(i, j), std::abs(scale[j]) * truth(i, j), 1e-12);
  }
}

TEST(MatchColumns, GivesZeroWhereColumnsAreMissingOrZero) {
  const Matrix64 truth(2, 2, {1, 0, 0, 1});
  const MatchedColumns fewer = match_columns(truth, Matrix64(2, 1, {0, 5}));
  EXPECT_EQ(fewer.permutation, (std::vector<int64_t>{-1, 0}));
  EXPECT_EQ(fewer.min, 0);
  EXPECT_EQ(fewer.mean, 0.5);
  EXPECT_EQ(match_columns(truth, Matrix64(2, 2)).mean, 0);
  EXPECT_THROW(match_columns(truth, Matrix64(3, 2)), std::invalid_argument);
}

TEST(SplitColumns, TellsColumnsThatCarryWeightFromThoseThatDoNot) {
  const Matrix64 truth(3, 2, {1, 0, 0, 1, 0, 1});
  // Squared norms: two copies of the first class 4 and 1, a mixture 3, a dead column.
  const Matrix64 found(3, 4, {2, 1, 1, 0, 0, 0, 1, 1e-9, 0, 0, 1, 0});
  const SplitColumns split = split_columns(truth, found);
  ASSERT_EQ(split.live.size(), 3u);
  EXPECT_NEAR(split.live[0].share, 0.5, 1e-12);
  EXPECT_NEAR(split.live[1].share, 0.375, 1e-12);
  EXPECT_NEAR(split.live[1].cosine, 2 / std::sqrt(6.0), 1e-12);
  EXPECT_NEAR(split.live[2].share, 0.125, 1e-12);
  EXPECT_EQ(split.carrying, 3) << "half of an equal share is an eighth";
  EXPECT_NEAR(split.worst_carrying, 2 / std::sqrt(6.0), 1e-12);
  EXPECT_NEAR(split.worst, 2 / std::sqrt(6.0), 1e-12);
  EXPECT_NEAR(split.impure_share, 0.375, 1e-12);
  EXPECT_EQ(split.classes_covered, 1);
}

// A mean over columns, weighted or not, would hide each of these.
TEST(SplitColumns, OneMixtureThatCarriesWeightIsTheWorstCase) {
  constexpr int64_t kClasses = 20;
  Matrix64 truth(kClasses, kClasses);
  Matrix64 found(kClasses, kClasses + 1);
  for (int64_t i = 0; i < kClasses; ++i) truth(i, i) = found(i, i) = 1;
  found(0, kClasses) = found(1, kClasses) = 0.6;  // squared norm 0.72 of 20.72: three quarters of an equal share
  const SplitColumns heavy = split_columns(truth, found);
  EXPECT_EQ(heavy.carrying, kClasses + 1);
  EXPECT_NEAR(heavy.worst_carrying, std::sqrt(0.5), 1e-12);
  found(0, kClasses) = found(1, kClasses) = 0.1;  // a fiftieth
  const SplitColumns light = split_columns(truth, found);
  EXPECT_EQ(light.carrying, kClasses);
  EXPECT_NEAR(light.worst_carrying, 1, 1e-12);
  EXPECT_NEAR(light.worst, std::sqrt(0.5), 1e-12) << "still told";
  EXPECT_NEAR(light.impure_share, 0.02 / 20.02, 1e-12);
  EXPECT_EQ(light.classes_covered, kClasses);
  EXPECT_TRUE(split_columns(truth, Matrix64(kClasses, 3)).live.empty());
}

}  // namespace
}  // namespace orthant::theory
