#include "orthant/measure/stability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix matrix(rows, cols);
  Rng rng(seed);
  for (float& x : matrix.mutable_values()) x = static_cast<float>(rng.normal());
  return matrix;
}

TEST(Stability, IsRightByHand) {
  const Matrix first(2, 2, {1, 0, 0, 1});
  const Matrix second(2, 2, {3, 4, 4, -3});  // columns (3, 4) / 5 and (4, -3) / 5
  const Stability absolute = stability(first, second);
  EXPECT_THAT(absolute.partner, ElementsAre(1, 0));
  EXPECT_NEAR(absolute.mean, 0.8, 1e-12);
  EXPECT_NEAR(absolute.mean_best_first, 0.8, 1e-12);
  const Stability plain = stability(first, second, {.absolute = false});
  EXPECT_THAT(plain.partner, ElementsAre(1, 0));
  EXPECT_NEAR(plain.similarity[0], 0.8, 1e-12);
  EXPECT_NEAR(plain.similarity[1], 0.8, 1e-12);
}

TEST(Stability, OfPermutedScaledAndTurnedFeaturesIsOne) {
  const Matrix first = random_matrix(40, 5, 1);
  const int64_t order[] = {3, 0, 4, 2, 1};
  const float scale[] = {2, -0.1F, 1, -7, 1e-3F};
  Matrix second(40, 5);
  for (int64_t i = 0; i < 40; ++i) {
    for (int64_t j = 0; j < 5; ++j) second(i, order[j]) = scale[j] * first(i, j);
  }
  for (const char* similarity : {"cosine", "correlation"}) {
    const Stability found = stability(first, second, {.similarity = similarity});
    EXPECT_THAT(found.partner, ElementsAre(3, 0, 4, 2, 1));
    EXPECT_NEAR(found.mean, 1, 1e-6);
    EXPECT_NEAR(found.mean_best_first, 1, 1e-6);
    EXPECT_NEAR(found.mean_best_second, 1, 1e-6);
    EXPECT_LT(stability(first, second, {.similarity = similarity, .absolute = false}).mean, 0.9);
  }
}

TEST(Stability, MatchesOneToOneWhereTheBestIsShared) {
  // Both features of the first model resemble feature 0 of the second most.
  const Matrix first(3, 2, {1, 1, 0, 0.5F, 0, 0});
  const Matrix second(3, 2, {1, 0, 0.2F, 0, 0, 1});
  const Stability found = stability(first, second);
  EXPECT_GT(found.mean_best_first, found.mean);
  EXPECT_NE(found.partner[0], found.partner[1]);
}

TEST(Stability, CountsWhatOnlyOneModelHasAsZeroEitherWayRound) {
  const Matrix many = random_matrix(30, 6, 2);
  Matrix few(30, 2);
  for (int64_t i = 0; i < 30; ++i) {
    few(i, 0) = many(i, 4);
    few(i, 1) = many(i, 1);
  }
  const Stability down = stability(many, few);
  EXPECT_THAT(down.partner, ElementsAre(-1, 1, -1, -1, 0, -1));
  EXPECT_NEAR(down.mean, 2.0 / 6, 1e-9);
  const Stability up = stability(few, many);
  EXPECT_THAT(up.partner, ElementsAre(4, 1));
  EXPECT_NEAR(up.mean, down.mean, 1e-12);
  EXPECT_NEAR(up.mean_best_first, down.mean_best_second, 1e-12);
}

TEST(Stability, LeavesOutDeadAndForCorrelationConstantFeatures) {
  Matrix first = random_matrix(20, 3, 3);
  for (int64_t i = 0; i < 20; ++i) {
    first(i, 0) = 0;
    first(i, 1) = 0.1F;
  }
  const Stability cosine = stability(first, first);
  EXPECT_THAT(cosine.partner, ElementsAre(-1, 1, 2));
  EXPECT_EQ(cosine.live_first, 2);
  EXPECT_NEAR(cosine.mean, 1, 1e-12);
  const Stability correlation = stability(first, first, {.similarity = "correlation"});
  EXPECT_THAT(correlation.partner, ElementsAre(-1, -1, 2));
  EXPECT_EQ(correlation.live_second, 1);
  EXPECT_NEAR(correlation.mean, 1, 1e-12);
}

TEST(Stability, OfSparseFeaturesIsThatOfDenseOnesOnAnyNumberOfThreads) {
  Matrix first = random_matrix(700, 150, 4);
  Matrix second = random_matrix(700, 140, 5);
  for (Matrix* matrix : {&first, &second}) {
    for (float& x : matrix->mutable_values()) x = x > 1 ? x : 0;
  }
  for (const char* similarity : {"cosine", "correlation"}) {
    const Stability dense = stability(first, second, {.similarity = similarity, .threads = 1});
    const Stability sparse = stability(SparseMatrix::from_dense(first), SparseMatrix::from_dense(second),
                                       {.similarity = similarity, .threads = 3});
    EXPECT_EQ(dense.partner, sparse.partner);
    EXPECT_EQ(dense.similarity, sparse.similarity);
    EXPECT_EQ(dense.mean_best_second, sparse.mean_best_second);
  }
}

TEST(Stability, IsZeroWithoutItemsOrFeatures) {
  EXPECT_EQ(stability(Matrix(0, 3), Matrix(0, 2)).mean, 0);
  EXPECT_EQ(stability(Matrix(4, 0), random_matrix(4, 2, 6)).mean, 0);
  EXPECT_EQ(stability(Matrix(4, 2), random_matrix(4, 2, 6)).mean_best_second, 0);
  EXPECT_EQ(stability(Matrix(1, 1, {2}), Matrix(1, 1, {-3})).mean, 1);
  EXPECT_EQ(stability(Matrix(1, 1, {2}), Matrix(1, 1, {-3}), {.similarity = "correlation"}).mean, 0);
}

TEST(Stability, RefusesOtherItemsNaNAndUnknownSimilarities) {
  const Matrix some = random_matrix(3, 2, 7);
  EXPECT_THAT(test::message_of([&] { stability(some, Matrix(4, 2)); }),
              HasSubstr("[stability] expected features of the same items, got 3 and 4 rows"));
  EXPECT_THAT(test::message_of([&] { stability(some, some, {.similarity = "l2"}); }),
              HasSubstr("[stability] expected similarity cosine or correlation, got 'l2'"));
  Matrix bad = some;
  bad(0, 1) = NAN;
  EXPECT_THAT(test::message_of([&] { stability(bad, some); }), HasSubstr("[stability, first model] expected finite"));
}

}  // namespace
}  // namespace orthant::measure
