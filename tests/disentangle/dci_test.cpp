#include "orthant/disentangle/dci.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/fit/boosting.h"
#include "orthant/fit/code_columns.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::codes_of;
using test::factor_of;
using test::random_factor;
using testing::ElementsAre;
using testing::HasSubstr;

double share_equal(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  int equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

Matrix rectified(Matrix codes) {
  for (float& x : codes.mutable_values()) x = std::max(x, 0.0F);
  return codes;
}

TEST(BinnedCodes, GiveEachOfFewValuesItsOwnBinAndKeepWhatIsNotInTheFullestOne) {
  const Matrix codes(5, 2, {0, 1, 0, 1, -2, 2, 0, 3, 7, 1});
  const fit::BinnedCodes binned(fit::CodeColumns(codes), 255, 1);
  EXPECT_EQ(binned.bins(0), 3);
  EXPECT_EQ(binned.default_bin(0), 1) << "zero";
  EXPECT_THAT(binned.column(0).rows, ElementsAre(2, 4));
  EXPECT_THAT(binned.column(0).bins, ElementsAre(0, 2));
  EXPECT_EQ(binned.default_bin(1), 0) << "one";
  EXPECT_THAT(binned.counts(), ElementsAre(1, 3, 1, 3, 1, 1));
  EXPECT_THAT(binned.row(2), ElementsAre(0, 4));
  // Edges lie half-way: -1 and 3.5; 1.5 and 2.5.
  EXPECT_THAT(binned.bin(fit::CodeColumns(Matrix(2, 2, {-1, 1.5F, 3.6F, 9}))), ElementsAre(0, 2, 0, 2));
}

TEST(BinnedCodes, CutManyValuesIntoBinsOfAboutEqualCounts) {
  const std::vector factors = {random_factor("f", 2000, 2, 1)};
  const fit::BinnedCodes binned(fit::CodeColumns(rectified(codes_of(factors, 3, 2))), 16, 1);
  for (int64_t j = 0; j < 2; ++j) {
    EXPECT_EQ(binned.bins(j), 16);
    int64_t items = 0;
    for (int64_t b = 0; b < 16; ++b) {
      const int64_t count = binned.counts()[static_cast<size_t>(binned.offset(j) + b)];
      items += count;
      if (b == 0) continue;  // the zeros
      EXPECT_NEAR(static_cast<double>(count), 75, 30) << b;
    }
    EXPECT_EQ(items, 2000);
  }
  EXPECT_EQ(binned.bins(2), 1) << "a dead code";
}

TEST(Boosting, OneTreeByHand) {
  // One code that tells two classes apart: p = 1/2, residuals +-1/2, leaves +-(1/2) / (1/4) = +-2.
  const Matrix codes(4, 1, {0, 0, 5, 5});
  const fit::BinnedCodes binned(fit::CodeColumns(codes), 255, 1);
  const fit::BoostedTrees model = fit::fit_boosting(binned, std::vector<int32_t>{0, 0, 1, 1}, 2, {.trees = 1});
  ASSERT_EQ(model.trees.size(), 1U);
  EXPECT_EQ(model.trees[0].nodes[0].column, 0);
  EXPECT_NEAR(model.trees[0].nodes[0].gain, 1, 1e-6);
  EXPECT_NEAR(model.trees[0].nodes[1].value, -2, 1e-6);
  EXPECT_NEAR(model.trees[0].nodes[2].value, 2, 1e-6);
  EXPECT_THAT(model.importance, ElementsAre(1));
  EXPECT_THAT(model.fitted, ElementsAre(0, 0, 1, 1));
}

// How far importances and accuracies may be from scikit-learn's.
struct Apart {
  double importance, train, test;
};

void expect_close_to_scikit_learn(const std::string& prefix, const Apart& most) {
  const test::FactorGolden golden(prefix);
  const fit::BinnedCodes binned(fit::CodeColumns(golden.train), 255, 0);
  const auto bins_of_test = binned.bin(fit::CodeColumns(golden.test));
  const auto importance = golden.numbers(prefix + "gbc_importance");
  for (size_t k = 0; k < 3; ++k) {
    const auto& classes = golden.train_factors[k].classes;
    const fit::BoostedTrees model =
        fit::fit_boosting(binned, classes, static_cast<int64_t>(golden.train_factors[k].values.size()));
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(model.importance[i], importance[i * 3 + k], most.importance) << i << " " << k;
    }
    EXPECT_NEAR(share_equal(model.fitted, classes), golden.numbers(prefix + "gbc_train")[k], most.train);
    EXPECT_NEAR(share_equal(fit::predict(model, bins_of_test, golden.test.rows()), golden.test_factors[k].classes),
                golden.numbers(prefix + "gbc_test")[k], most.test);
  }
}

// Every value has its own bin here; ties, which scikit-learn resolves at random, still move single splits.
TEST(Boosting, ComesCloseToScikitLearn) { expect_close_to_scikit_learn("", {0.006, 0.005, 0.01}); }

// Several values share a bin, so that splits lie elsewhere.
TEST(Boosting, ComesCloseToScikitLearnOnContinuousCodes) {
  expect_close_to_scikit_learn("smooth_", {0.006, 0.01, 0.01});
}

TEST(Boosting, PredictsTrainingItemsAsItFittedThem) {
  for (const int64_t classes : {2, 3, 20}) {
    const std::vector factors = {random_factor("f", 400, classes, 3)};
    const fit::CodeColumns codes(codes_of(factors, 0.6, 4));
    const fit::BinnedCodes binned(codes, 64, 0);
    const fit::BoostedTrees model = fit::fit_boosting(binned, factors[0].classes, classes, {.trees = 8});
    EXPECT_EQ(fit::predict(model, binned.bin(codes), 400), model.fitted) << classes;
  }
}

TEST(Boosting, DoesNotDependOnThreadsNorOnHowCodesAreStored) {
  const std::vector factors = {random_factor("f", 700, 18, 5)};
  const Matrix codes = rectified(codes_of(factors, 0.8, 6));
  const SparseMatrix sparse = SparseMatrix::from_dense(codes);
  const fit::BoostedTrees one = fit::fit_boosting(fit::BinnedCodes(fit::CodeColumns(codes), 255, 1), factors[0].classes,
                                                  18, {.trees = 4, .threads = 1});
  const fit::BoostedTrees three = fit::fit_boosting(fit::BinnedCodes(fit::CodeColumns(sparse), 255, 3),
                                                    factors[0].classes, 18, {.trees = 4, .threads = 3});
  EXPECT_EQ(one.importance, three.importance);
  EXPECT_EQ(one.fitted, three.fitted);
}

// The gain of every split of the root, in double and without bins.
TEST(Boosting, RootTakesTheSplitThatReducesTheSquaredErrorMost) {
  const std::vector factors = {random_factor("f", 150, 3, 7)};
  const Matrix codes = rectified(codes_of(factors, 1.5, 8));
  const fit::BoostedTrees model =
      fit::fit_boosting(fit::BinnedCodes(fit::CodeColumns(codes), 255, 1), factors[0].classes, 3, {.trees = 1});
  for (int32_t c = 0; c < 3; ++c) {
    std::vector<double> residual;
    const auto members = static_cast<double>(std::ranges::count(factors[0].classes, c));
    for (const int32_t label : factors[0].classes) residual.push_back((label == c ? 1 : 0) - members / 150);
    double best = 0;
    int32_t best_column = -1;
    for (int64_t j = 0; j < codes.cols(); ++j) {
      for (int64_t t = 0; t < 150; ++t) {
        double n[2] = {0, 0};
        double sum[2] = {0, 0};
        for (int64_t i = 0; i < 150; ++i) {
          const bool right = codes(i, j) > codes(t, j);
          n[right] += 1;
          sum[right] += residual[static_cast<size_t>(i)];
        }
        const double gain = n[0] * n[1] == 0 ? 0 : sum[0] * sum[0] / n[0] + sum[1] * sum[1] / n[1];
        if (gain > best + 1e-9) {
          best = gain;
          best_column = static_cast<int32_t>(j);
        }
      }
    }
    EXPECT_EQ(model.trees[static_cast<size_t>(c)].nodes[0].column, best_column);
    EXPECT_NEAR(model.trees[static_cast<size_t>(c)].nodes[0].gain, best, 1e-5 * best);
  }
}

TEST(Boosting, LearnsNothingFromDeadCodesAndRefusesWhatDoesNotFit) {
  const fit::BinnedCodes dead(fit::CodeColumns(Matrix(4, 2)), 255, 1);
  const fit::BoostedTrees model = fit::fit_boosting(dead, std::vector<int32_t>{0, 1, 1, 1}, 2, {.trees = 3});
  EXPECT_THAT(model.importance, ElementsAre(0, 0));
  EXPECT_THAT(model.fitted, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(test::message_of([&] {
                fit::fit_boosting(dead, std::vector<int32_t>{0, 1}, 2);
              }),
              HasSubstr("[boosting] expected 4 classes, got 2"));
  EXPECT_THAT(test::message_of([&] {
                fit::fit_boosting(dead, std::vector<int32_t>{0, 0, 0, 0}, 1);
              }),
              HasSubstr("expected 2 or more classes that all occur, got 1 of 1"));
  EXPECT_THAT(test::message_of([&] {
                fit::fit_boosting(dead, std::vector<int32_t>{0, 0, 2, 0}, 3);
              }),
              HasSubstr("got 2 of 3"));
}

TEST(ImportanceScore, AgreesWithSciPy) {
  const test::FactorGolden golden;
  const ImportanceScore score = importance_score(Matrix64(7, 4, golden.numbers("r")));
  EXPECT_NEAR(score.disentanglement, golden.number("r_disentanglement"), 1e-12);
  EXPECT_NEAR(score.completeness, golden.number("r_completeness"), 1e-12);
}

TEST(ImportanceScore, ByHand) {
  // Code 0 serves one factor, code 1 both alike; factor 0 is served by both, weights 1 : 1.
  const ImportanceScore score = importance_score(Matrix64(2, 2, {1, 0, 1, 1}));
  EXPECT_NEAR(score.by_code[0], 1, 1e-8);
  EXPECT_NEAR(score.by_code[1], 0, 1e-8);
  EXPECT_NEAR(score.disentanglement, 1.0 / 3, 1e-8);
  EXPECT_NEAR(score.completeness, 1.0 / 3, 1e-8);
  EXPECT_NEAR(importance_score(Matrix64(3, 3, {1, 0, 0, 0, 0, 2, 0, 3, 0})).disentanglement, 1, 1e-8);
}

TEST(ImportanceScore, TakesZerosAsUniformAndOneOfAKindAsPure) {
  EXPECT_NEAR(importance_score(Matrix64(3, 2)).disentanglement, 0, 1e-12);
  EXPECT_NEAR(importance_score(Matrix64(3, 2)).completeness, 0, 1e-12);
  EXPECT_EQ(importance_score(Matrix64(1, 2, {1, 1})).completeness, 1);
  EXPECT_EQ(importance_score(Matrix64(2, 1, {1, 1})).disentanglement, 1);
  EXPECT_EQ(importance_score(Matrix64(0, 2)).disentanglement, 0);
  EXPECT_THAT(test::message_of([] { importance_score(Matrix64(1, 1, {-1})); }),
              HasSubstr("[dci] expected importances of 0 or more, got -1"));
}

TEST(Dci, IsHighForOneCodePerFactorAndTheSameDenseAndSparse) {
  const std::vector train_factors = {random_factor("a", 400, 3, 9), random_factor("b", 400, 4, 10)};
  const std::vector test_factors = {random_factor("a", 200, 3, 11), random_factor("b", 200, 4, 12)};
  const Matrix train = rectified(codes_of(train_factors, 0.1, 13));
  const Matrix test = rectified(codes_of(test_factors, 0.1, 14));
  const DciScore score = dci(train, train_factors, test, test_factors, {.trees = 10});
  EXPECT_GT(score.disentanglement, 0.95);
  EXPECT_GT(score.completeness, 0.95);
  EXPECT_GT(score.informativeness, 0.97);
  EXPECT_EQ(score.importance(3, 0), 0) << "a dead code";
  const DciScore sparse = dci(SparseMatrix::from_dense(train), train_factors, SparseMatrix::from_dense(test),
                              test_factors, {.trees = 10, .threads = 3});
  EXPECT_EQ(score.importance, sparse.importance);
  EXPECT_EQ(score.informativeness, sparse.informativeness);
}

TEST(Dci, LeavesOutConstantFactorsAndCountsUnknownClassesAsWrong) {
  const std::vector train_factors = {factor_of("a", 3, {0, 1, 0, 1}), factor_of("b", 2, {1, 1, 1, 1})};
  const std::vector test_factors = {factor_of("a", 3, {0, 2}), factor_of("b", 2, {0, 1})};
  const Matrix train(4, 1, {0, 1, 0, 1});
  const DciScore score = dci(train, train_factors, Matrix(2, 1, {0, 1}), test_factors, {.trees = 5});
  EXPECT_DOUBLE_EQ(score.informativeness, 0.5);
  EXPECT_DOUBLE_EQ(score.train_accuracy, 1);
  EXPECT_EQ(score.disentanglement, 1) << "one factor is left";
  const DciScore dead = dci(Matrix(4, 2), train_factors, Matrix(2, 2), test_factors, {.trees = 5});
  EXPECT_EQ(dead.disentanglement, 0);
  EXPECT_EQ(dead.completeness, 0);
  const std::vector none = {factor_of("a", 3, {}), factor_of("b", 2, {})};
  EXPECT_EQ(dci(train, train_factors, Matrix(0, 1), none, {.trees = 5}).informativeness, 0);
}

}  // namespace
}  // namespace orthant::disentangle
