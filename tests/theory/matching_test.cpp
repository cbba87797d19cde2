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

TEST(SplitColumns, CountsLivePureAndCovered) {
  const Matrix64 truth(3, 2, {1, 0, 0, 1, 0, 1});
  // Two copies of the first class, a mixture, a dead column.
  const Matrix64 found(3, 4, {2, 1, 1, 0, 0, 0, 1, 1e-9, 0, 0, 1, 0});
  const SplitColumns split = split_columns(truth, found);
  EXPECT_EQ(split.live, 3);
  EXPECT_EQ(split.pure, 2);
  EXPECT_EQ(split.classes_covered, 1);
  EXPECT_NEAR(split.purity, (5 + 3 * 2 / std::sqrt(6.0)) / 8, 1e-12);
  EXPECT_NEAR(split.worst, 2 / std::sqrt(6.0), 1e-12);
}

}  // namespace
}  // namespace orthant::theory
