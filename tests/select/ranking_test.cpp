#include "orthant/select/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::select {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Matrix random_features(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix x(rows, cols);
  Rng rng(seed);
  for (float& value : x.mutable_values()) value = rng.bernoulli(0.6) ? 0.0F : static_cast<float>(rng.normal());
  return x;
}

TEST(Ranking, ActivationByHandUnderEachRule) {
  // Row lengths 5 and 1. Unit rows: (0.6, -0.8, 0) and (0, 0, 1); of max(x, 0): (1, 0, 0) and (0, 0, 1).
  const Matrix x(2, 3, {3, -4, 0, 0, 0, 1});
  EXPECT_THAT(rank_features(x, {}, {.rank = "relu"}).scores, ElementsAre(0.5, 0, 0.5));
  EXPECT_THAT(rank_features(x, {}, {.rank = "relu"}).order, ElementsAre(0, 2, 1));
  const Ranking raw = rank_features(x, {}, {.rank = "raw"});
  EXPECT_NEAR(raw.scores[0], 0.3, 1e-7);
  EXPECT_NEAR(raw.scores[1], -0.4, 1e-7);
  EXPECT_THAT(raw.order, ElementsAre(2, 0, 1));
  EXPECT_THAT(rank_features(x, {}, {.rank = "abs"}).order, ElementsAre(2, 1, 0));
}

TEST(Ranking, VarianceByHandOfUnitRows) {
  const Matrix x(4, 2, {2, 0, 7, 0, 0, 3, 0, 0});
  const Ranking found = rank_features(x, {}, {.by = "variance"});
  EXPECT_NEAR(found.scores[0], 0.25, 1e-12);
  EXPECT_NEAR(found.scores[1], 0.25 - 0.0625, 1e-12);
}

TEST(Ranking, ConsistencyTrustsAFeatureThatFiresOftenMore) {
  // Feature 0 fires once, feature 1 three times in one class, feature 2 in both classes, feature 3 never.
  const Matrix x(5, 4, {1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::vector<int64_t> labels = {0, 0, 0, 1, 1};
  const Ranking found = rank_features(x, labels, {.by = "consistency"});
  EXPECT_THAT(found.order, ElementsAre(1, 0, 2, 3));
  EXPECT_NEAR(found.scores[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(found.scores[1], 4.0 / 5, 1e-12);
  EXPECT_NEAR(found.scores[2], 3.0 / 6, 1e-12);
  EXPECT_EQ(found.scores[3], 0);
}

TEST(Ranking, ConsistencyOfTheTopLooksAtTheStrongestOnly) {
  // Of 200 rows the strongest two count. Feature 0 is strong in class 0 and weak everywhere; feature 1 is weak in class
  // 1 alone, but for its strongest row.
  Matrix x(200, 2);
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < 200; ++i) {
    labels.push_back(i % 2);
    x(i, 0) = i == 10 || i == 20 ? 9.0F : 1.0F;
    x(i, 1) = i == 30 ? 9.0F : i % 2 == 1 ? 3.0F : 0.0F;
  }
  const Ranking top = rank_features(x, labels, {.by = "consistency_top"});
  EXPECT_THAT(top.order, ElementsAre(0, 1));
  EXPECT_NEAR(top.scores[0], 3.0 / 4, 1e-12);
  EXPECT_NEAR(top.scores[1], 2.0 / 4, 1e-12);
  EXPECT_THAT(rank_features(x, labels, {.by = "consistency"}).order, ElementsAre(1, 0));
}

TEST(Ranking, EqualConsistencyIsDecidedByActivation) {
  const Matrix x(2, 2, {1, 3, 1, 3});
  const std::vector<int64_t> labels = {0, 0};
  EXPECT_THAT(rank_features(x, labels, {.by = "consistency"}).order, ElementsAre(1, 0));
}

TEST(Ranking, ImportanceIsAsItWasLearnedWhateverTheRows) {
  const std::vector<float> learned = {0.5F, 2, 0.5F, 1};
  const Matrix x(1, 4, {9, 0, 1, NAN});
  const Ranking found = rank_features(x, {}, {.by = "importance", .importance = learned});
  EXPECT_THAT(found.order, ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(found.scores, ElementsAre(0.5, 2, 0.5, 1));
  EXPECT_THAT(message_of([&] { rank_features(x, {}, {.by = "importance"}); }),
              HasSubstr("expected features whose importance was learned, got others"));
  EXPECT_THAT(message_of([&] { rank_features(Matrix(1, 3), {}, {.by = "importance", .importance = learned}); }),
              HasSubstr("expected an importance of each of 3 features, got 4"));
}

TEST(Ranking, RandomIsAPermutationThatTheSeedDecides) {
  const Matrix x = random_features(3, 40, 1);
  const Ranking a = rank_features(x, {}, {.by = "random", .seed = 1});
  EXPECT_EQ(a.order, rank_features(random_features(9, 40, 2), {}, {.by = "random", .seed = 1}).order);
  EXPECT_NE(a.order, rank_features(x, {}, {.by = "random", .seed = 2}).order);
  std::vector<int64_t> sorted = a.order;
  std::ranges::sort(sorted);
  std::vector<int64_t> expected(40);
  std::iota(expected.begin(), expected.end(), int64_t{0});
  EXPECT_EQ(sorted, expected);
}

TEST(Ranking, DependsNeitherOnThreadsNorFormNorTheLengthOfRows) {
  const Matrix x = random_features(500, 30, 3);
  Matrix longer = x;
  for (int64_t i = 0; i < x.rows(); ++i) {
    for (float& value : longer.mutable_row(i)) value *= static_cast<float>(1 << (i % 5));
  }
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < 500; ++i) labels.push_back(i % 4 - 1);
  const SparseMatrix sparse = SparseMatrix::from_dense(x);
  for (const char* by : {"activation", "variance", "consistency", "consistency_top"}) {
    for (const std::string& rank : rank_modes()) {
      const Ranking one = rank_features(x, labels, {.by = by, .rank = rank, .threads = 1});
      EXPECT_EQ(one.scores, rank_features(x, labels, {.by = by, .rank = rank, .threads = 3}).scores);
      EXPECT_EQ(one.order, rank_features(sparse, labels, {.by = by, .rank = rank, .threads = 2}).order);
      EXPECT_EQ(one.order, rank_features(longer, labels, {.by = by, .rank = rank}).order);
    }
  }
}

TEST(Ranking, NoRowsZeroRowsAndOneColumnAreRanked) {
  EXPECT_THAT(rank_features(Matrix(0, 2), {}).order, ElementsAre(0, 1));
  EXPECT_THAT(rank_features(Matrix(3, 2), {}).order, ElementsAre(0, 1));
  EXPECT_THAT(rank_features(Matrix(1, 1, {-2}), {}, {.rank = "raw"}).scores, ElementsAre(-1));
}

TEST(Ranking, RefusesWhatItCannotRank) {
  const Matrix x(2, 2, {1, 2, 3, 4});
  EXPECT_THAT(message_of([&] { rank_features(x, {}, {.by = "size"}); }), HasSubstr("got size"));
  EXPECT_THAT(message_of([&] { rank_features(x, {}, {.rank = "gelu"}); }), HasSubstr("relu, abs or raw, got gelu"));
  EXPECT_THAT(message_of([&] { rank_features(x, {}, {.by = "consistency"}); }), HasSubstr("expected labels"));
  const Matrix bad(2, 2, {1, NAN, 3, INFINITY});
  EXPECT_THAT(message_of([&] { rank_features(bad, {}); }), HasSubstr("got 2 NaN or infinite"));
}

}  // namespace
}  // namespace orthant::select
