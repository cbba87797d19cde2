#include "orthant/disentangle/factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/disentangle/merge_features.h"
#include "orthant/disentangle/mig.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::codes_of;
using test::factor_of;
using test::random_factor;
using testing::ElementsAre;
using testing::HasSubstr;

const FactorOptions kSmall{.dci_trees = 5, .votes = 200, .test_votes = 100};

std::vector<Factor> some_factors(int64_t items) {
  return {random_factor("shape", items, 3, 1), random_factor("scale", items, 4, 2)};
}

TEST(MergeFeatures, SumsProportionalColumnsAndLeavesDeadOnesAlone) {
  // Columns: f, 2 f, g, dead, -f, dead.
  const Matrix features(3, 6, {1, 2, 0, 0, -1, 0, 3, 6, 1, 0, -3, 0, 0, 0, 2, 0, 0, 0});
  const FeatureGroups groups = duplicate_features(features);
  EXPECT_THAT(groups.group, ElementsAre(0, 0, 1, 2, 3, 4));
  EXPECT_EQ(groups.count, 5);
  EXPECT_EQ(merge_features(features, groups).to_dense(), Matrix(3, 5, {3, 0, 0, -1, 0, 9, 1, 0, -3, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(merge_features(SparseMatrix::from_dense(features), groups), merge_features(features, groups));
  EXPECT_EQ(duplicate_features(SparseMatrix::from_dense(features)).group, groups.group);
}

TEST(MergeFeatures, DoesNotChainWhatIsFarFromTheLeader) {
  // Unit-like columns at 0, 15 and 30 degrees, the first the longest: cos 15 = 0.966, cos 30 = 0.866.
  const auto at = [](double degrees, double length) {
    const double a = degrees * 3.14159265358979 / 180;
    return std::pair{static_cast<float>(length * std::cos(a)), static_cast<float>(length * std::sin(a))};
  };
  const auto [ax, ay] = at(0, 3);
  const auto [bx, by] = at(15, 2);
  const auto [cx, cy] = at(30, 1);
  const Matrix features(2, 3, {ax, bx, cx, ay, by, cy});
  EXPECT_THAT(duplicate_features(features).group, ElementsAre(0, 0, 1));
  EXPECT_THAT(duplicate_features(features, {.above = 0.99}).group, ElementsAre(0, 1, 2));
}

TEST(MergeFeatures, TakesEdgeCases) {
  EXPECT_EQ(duplicate_features(Matrix(0, 3)).count, 3);
  EXPECT_EQ(duplicate_features(Matrix(3, 0)).count, 0);
  EXPECT_EQ(duplicate_features(Matrix(1, 2, {1, 2})).count, 1) << "with one item all live features are alike";
  EXPECT_THAT(test::message_of([] { duplicate_features(Matrix(1, 1), {.above = 2}); }),
              HasSubstr("[merge_features] expected a cosine from 0 to 1, got 2"));
  EXPECT_THAT(test::message_of([] { merge_features(Matrix(1, 2), {.group = {0}, .count = 1}); }),
              HasSubstr("[merge_features] expected groups of 2 features, got 1"));
}

TEST(FactorScores, MergingGivesBackWhatSplittingTook) {
  const auto factors = some_factors(900);
  const Matrix whole = codes_of(factors, 0.1, 3);
  Matrix split(900, 5);
  for (int64_t i = 0; i < 900; ++i) {
    for (int64_t j = 0; j < 4; ++j) split(i, j) = whole(i, j);
    split(i, 4) = 0.5F * whole(i, 0);
  }
  const FactorScores scores = factor_scores(split, factors, kSmall);
  const FactorScores expected = factor_scores(whole, factors, kSmall);
  EXPECT_LT(scores.plain.mig, 0.6 * scores.merged.mig);
  EXPECT_EQ(scores.plain.codes, 5);
  EXPECT_EQ(scores.merged.codes, 4);
  EXPECT_EQ(scores.merged.live_codes, 3);
  EXPECT_NEAR(scores.merged.mig, expected.plain.mig, 0.02);
  EXPECT_NEAR(scores.merged.dci_completeness, expected.plain.dci_completeness, 0.02);
  EXPECT_NEAR(scores.merged.sap, expected.plain.sap, 0.02);
  EXPECT_EQ(expected.merged.mig, expected.plain.mig) << "nothing to merge";
}

TEST(FactorScores, AreHighForOneCodePerFactor) {
  const auto factors = some_factors(1200);
  const FactorScores scores = factor_scores(codes_of(factors, 0.05, 4), factors, kSmall);
  EXPECT_GT(scores.plain.mig, 0.9);
  EXPECT_GT(scores.plain.modularity, 0.8) << "two pure codes and one of noise";
  EXPECT_GT(scores.plain.dci_disentanglement, 0.95);
  EXPECT_GT(scores.plain.dci_completeness, 0.95);
  EXPECT_GT(scores.plain.dci_informativeness, 0.97);
  EXPECT_GT(scores.plain.factor_vae, 0.98);
  EXPECT_GT(scores.plain.beta_vae, 0.98);
  EXPECT_THAT(scores.factors, ElementsAre("shape", "scale"));
}

TEST(FactorScores, SplitFewItemsTwoToOneAndDrawManyAsTold) {
  const auto factors = some_factors(100);
  const Matrix codes = codes_of(factors, 0.5, 5);
  FactorOptions options = kSmall;
  options.dci = false;
  const FactorScores few = factor_scores(codes, factors, options);
  EXPECT_EQ(few.train_items, 67);
  EXPECT_EQ(few.test_items, 33);
  EXPECT_TRUE(few.fewer_items);
  EXPECT_TRUE(std::isnan(few.plain.dci_disentanglement));
  options.train_size = 40;
  options.test_size = 60;
  const FactorScores exact = factor_scores(codes, factors, options);
  EXPECT_EQ(exact.train_items, 40);
  EXPECT_EQ(exact.test_items, 60);
  EXPECT_FALSE(exact.fewer_items);
}

TEST(FactorScores, AreTheSameDenseAndSparseAndForAnyThreads) {
  const auto factors = some_factors(300);
  Matrix codes = codes_of(factors, 0.6, 6);
  for (float& x : codes.mutable_values()) x = std::max(x, 0.0F);
  FactorOptions options = kSmall;
  options.threads = 1;
  const FactorScoreSet one = factor_scores(codes, factors, options).plain;
  options.threads = 3;
  const FactorScoreSet other = factor_scores(SparseMatrix::from_dense(codes), factors, options).plain;
  EXPECT_EQ(one.mig, other.mig);
  EXPECT_EQ(one.modularity, other.modularity);
  EXPECT_EQ(one.dci_disentanglement, other.dci_disentanglement);
  EXPECT_EQ(one.dci_informativeness, other.dci_informativeness);
  EXPECT_EQ(one.sap, other.sap);
  EXPECT_EQ(one.factor_vae, other.factor_vae);
  EXPECT_EQ(one.beta_vae, other.beta_vae);
}

TEST(FactorScores, SayWhichFactorsAreConstantAndAreZeroOfNothing) {
  auto factors = some_factors(60);
  factors.push_back(factor_of("colour", 2, std::vector<int32_t>(60)));
  EXPECT_THAT(factor_scores(codes_of(factors, 0.5, 7), factors, kSmall).left_out, ElementsAre("colour"));
  const FactorScores dead = factor_scores(Matrix(60, 4), factors, kSmall);
  EXPECT_EQ(dead.plain.live_codes, 0);
  EXPECT_EQ(dead.plain.mig + dead.plain.dci_disentanglement + dead.plain.sap + dead.plain.factor_vae, 0);
  for (const int64_t items : {1, 2, 3, 4}) {
    const auto few = some_factors(items);
    EXPECT_NO_THROW(factor_scores(Matrix(items, 1, std::vector<float>(static_cast<size_t>(items), 1)), few, kSmall));
    EXPECT_NO_THROW(factor_scores(codes_of(few, 0.5, 8), few, kSmall));
  }
}

TEST(FactorScores, RefuseWhatDoesNotFit) {
  const auto factors = some_factors(10);
  EXPECT_THAT(test::message_of([&] { factor_scores(Matrix(0, 3), factors); }),
              HasSubstr("[factor_scores] expected at least one item, got none"));
  EXPECT_THAT(test::message_of([&] { factor_scores(Matrix(10, 3), {}); }),
              HasSubstr("[factor_scores] expected at least one factor, got none"));
  EXPECT_THAT(test::message_of([&] { factor_scores(Matrix(9, 3), factors); }),
              HasSubstr("[factor_scores] expected 9 values of factor shape, got 10"));
  EXPECT_THAT(test::message_of([&] { factor_scores(Matrix(10, 3), factors, {.bins = 1}); }),
              HasSubstr("[factor_scores] expected bins from 2 to 10000, got 1"));
  Matrix bad(10, 3);
  bad(7, 2) = NAN;
  EXPECT_THAT(test::message_of([&] { factor_scores(bad, factors); }),
              HasSubstr("expected finite features, got nan in row 7, column 2"));
}

}  // namespace
}  // namespace orthant::disentangle
