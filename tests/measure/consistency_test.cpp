#include "orthant/measure/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "orthant/measure/classes.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Consistency, CountsTheCaseDoneByHand) {
  // Column 0: active in rows 0, 1, 2 (classes 7, 7, 9). Column 1: negative in row 3, weak in row 1. Column 2 is dead.
  const Matrix features(5, 3,
                        {1, 0, 0,      //
                         1, 0.01F, 0,  //
                         1, 0, 0,      //
                         0, -2, 0,     //
                         5, 5, 5});
  const std::vector<int64_t> labels = {7, 7, 9, 9, -1};
  const ClassConsistency found = class_consistency(features, labels);
  EXPECT_EQ(found.classes, 2);
  EXPECT_EQ(found.labelled, 4);
  EXPECT_THAT(found.active.samples, ElementsAre(3, 2, 0));
  EXPECT_DOUBLE_EQ(found.active.consistency[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.active.consistency[1], 0.5);
  EXPECT_TRUE(std::isnan(found.active.consistency[2]));
  EXPECT_DOUBLE_EQ(found.active.mean_consistency, (2.0 / 3 + 0.5) / 2);
  EXPECT_NEAR(found.active.entropy[1], std::log(2.0), 1e-12);
  EXPECT_THAT(found.positive.samples, ElementsAre(3, 1, 0));
  EXPECT_DOUBLE_EQ(found.positive.mean_consistency, (2.0 / 3 + 1) / 2);
  EXPECT_THAT(found.strong.samples, ElementsAre(3, 0, 0));
  EXPECT_EQ(found.strong.features, 1);
  EXPECT_DOUBLE_EQ(found.strong.mean_consistency, 2.0 / 3);
}

TEST(Consistency, DenseSignedFeaturesScoreTheLargestClassUnderTheActiveRule) {
  const Matrix features = test::random_features(90, 5, 0, false, 2);
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < 90; ++i) labels.push_back(i % 3);
  // Row 2 is zero, so class 2 has 29 of 89.
  EXPECT_NEAR(class_consistency(features, labels).active.mean_consistency, 30.0 / 89, 1e-12);
}

TEST(Consistency, ScalingRowsChangesNothing) {
  Matrix features = test::random_features(60, 9, 0.6, true, 2);
  const auto labels = test::random_labels(60, 4, 3);
  const ClassConsistency before = class_consistency(features, labels);
  for (int64_t i = 0; i < 60; ++i) {
    for (float& x : features.mutable_row(i)) x *= static_cast<float>(1 << (i % 7));
  }
  const ClassConsistency after = class_consistency(features, labels);
  EXPECT_EQ(before.active.samples, after.active.samples);
  EXPECT_EQ(before.strong.samples, after.strong.samples);
  EXPECT_EQ(before.strong.mean_entropy, after.strong.mean_entropy);
}

TEST(Consistency, IsTheSameForDenseAndSparseAndAnyNumberOfThreads) {
  for (const double zeros : {0.0, 0.5, 0.95}) {
    const Matrix dense = test::random_features(211, 13, zeros, false, 8);
    const SparseMatrix sparse = SparseMatrix::from_dense(dense);
    const auto labels = test::random_labels(211, 6, 9);
    const ClassConsistency one = class_consistency(dense, labels, {.threads = 1});
    for (const auto& other :
         {class_consistency(dense, labels, {.threads = 3}), class_consistency(sparse, labels, {.threads = 2})}) {
      EXPECT_EQ(one.active.samples, other.active.samples);
      EXPECT_EQ(one.active.mean_consistency, other.active.mean_consistency);
      EXPECT_EQ(one.positive.mean_consistency, other.positive.mean_consistency);
      EXPECT_EQ(one.strong.mean_entropy, other.strong.mean_entropy);
    }
  }
}

TEST(Consistency, LabelsAreOnlyNames) {
  const Matrix features = test::random_features(80, 6, 0.5, true, 4);
  auto labels = test::random_labels(80, 5, 6);
  const double before = class_consistency(features, labels).positive.mean_consistency;
  for (int64_t& label : labels) label = label < 0 ? -1 : (int64_t{1} << 60) - label * 1000;
  EXPECT_EQ(before, class_consistency(features, labels).positive.mean_consistency);
}

TEST(Consistency, OneClassIsConsistentAndUnknownLabelsLeaveNothing) {
  const Matrix features(2, 2, {1, 0, 1, 1});
  const ClassConsistency one = class_consistency(features, std::vector<int64_t>{3, 3});
  EXPECT_EQ(one.classes, 1);
  EXPECT_EQ(one.active.mean_consistency, 1);
  EXPECT_EQ(one.active.mean_entropy, 0);
  const ClassConsistency none = class_consistency(features, std::vector<int64_t>{-1, -1});
  EXPECT_EQ(none.classes, 0);
  EXPECT_EQ(none.active.features, 0);
  EXPECT_EQ(none.active.mean_consistency, 0);
}

TEST(Consistency, RejectsLabelsThatDoNotFit) {
  const Matrix features(2, 2);
  EXPECT_THAT(test::message_of([&] { class_consistency(features, std::vector<int64_t>{1}); }),
              HasSubstr("[class_consistency] expected a label for each of the 2 rows, got 1"));
  EXPECT_THAT(test::message_of([&] {
                class_consistency(features, std::vector<int64_t>{1, -2});
              }),
              HasSubstr("got -2 in row 1"));
  EXPECT_THAT(test::message_of([&] { class_consistency(Matrix(0, 2), {}); }), HasSubstr("got 0 x 2"));
  EXPECT_THAT(test::message_of([&] {
                class_consistency(features, std::vector<int64_t>{0, 1}, {.strong = -1});
              }),
              HasSubstr("thresholds from 0 on"));
}

// Sorts every column, the plain way.
std::vector<double> top_by_sorting(const Matrix& features, const std::vector<int64_t>& labels, size_t most) {
  std::vector<double> shares;
  for (int64_t j = 0; j < features.cols(); ++j) {
    std::vector<std::pair<float, int64_t>> entries;
    for (int64_t i = 0; i < features.rows(); ++i) {
      const double length = Features(features).row_norm(i);
      if (length == 0 || labels[static_cast<size_t>(i)] < 0) continue;
      const auto unit = static_cast<float>(features(i, j) * (1 / length));
      if (unit > 1e-5F) entries.emplace_back(-unit, i);
    }
    std::ranges::sort(entries);
    entries.resize(std::min(entries.size(), most));
    std::map<int64_t, int64_t> counts;
    int64_t largest = 0;
    for (const auto& [value, i] : entries) largest = std::max(largest, ++counts[labels[static_cast<size_t>(i)]]);
    shares.push_back(static_cast<double>(largest) / static_cast<double>(entries.size()));
  }
  return shares;
}

TEST(TopConsistency, CountsTheCaseDoneByHand) {
  // Two of the four labelled samples. Column 0 of unit rows: 0.6, 1, 1, 0; so rows 1 and 2. Column 1: rows 0 and 3.
  // Column 2: never positive but in row 4, which has no label.
  const Matrix features(5, 3,
                        {3, 4, 0,   //
                         1, 0, 0,   //
                         2, 0, 0,   //
                         0, 2, -1,  //
                         9, 0, 9});
  const TopConsistency found = top_consistency(features, std::vector<int64_t>{7, 7, 9, 9, -1}, {.top = 0.4});
  EXPECT_EQ(found.most, 2);
  EXPECT_THAT(found.rule.samples, ElementsAre(2, 2, 0));
  EXPECT_DOUBLE_EQ(found.rule.consistency[0], 0.5);
  EXPECT_DOUBLE_EQ(found.rule.consistency[1], 0.5);
  EXPECT_TRUE(std::isnan(found.rule.consistency[2]));
  EXPECT_TRUE(std::isnan(found.chance[2]));
  EXPECT_EQ(found.rule.features, 2);
  EXPECT_EQ(found.fewest, 2);
  EXPECT_DOUBLE_EQ(found.mean_samples, 2);
  // Two of four, two classes of two: the same class with probability 1/3.
  EXPECT_NEAR(found.mean_chance, 1.0 / 3 + 2.0 / 3 / 2, 0.02);
}

TEST(TopConsistency, IsWhatSortingEveryColumnGives) {
  for (const double zeros : {0.0, 0.5, 0.97}) {
    for (const int64_t rows : {3, 40, 999, 1001}) {
      Matrix features = test::random_features(rows, 7, zeros, false, 11);
      for (int64_t i = 0; i < rows; i += 3) {  // ties
        for (float& x : features.mutable_row(i)) x = x > 0 ? 1.0F : 0.0F;
      }
      const auto labels = test::random_labels(rows, 4, 12);
      const TopConsistency found = top_consistency(features, labels, {.top = 0.05});
      const auto expected = top_by_sorting(features, labels, static_cast<size_t>(found.most));
      for (size_t j = 0; j < 7; ++j) {
        if (std::isnan(expected[j])) {
          EXPECT_TRUE(std::isnan(found.rule.consistency[j]));
        } else {
          EXPECT_DOUBLE_EQ(found.rule.consistency[j], expected[j]) << rows << " rows, column " << j;
        }
      }
    }
  }
}

TEST(TopConsistency, IsTheSameForDenseAndSparseAndAnyNumberOfThreads) {
  const Matrix dense = test::random_features(503, 13, 0.7, false, 8);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  const auto labels = test::random_labels(503, 6, 9);
  const TopConsistency one = top_consistency(dense, labels, {.top = 0.1, .threads = 1});
  for (const auto& other : {top_consistency(dense, labels, {.top = 0.1, .threads = 3}),
                            top_consistency(sparse, labels, {.top = 0.1, .threads = 2})}) {
    EXPECT_EQ(one.rule.samples, other.rule.samples);
    EXPECT_EQ(one.rule.mean_consistency, other.rule.mean_consistency);
    EXPECT_EQ(one.mean_chance, other.mean_chance);
  }
}

// What the rule `strong` does not do: copies of all columns make every row longer, and each entry weaker.
TEST(TopConsistency, DoesNotDependOnTheNumberOfFeatures) {
  const Matrix narrow = test::random_features(400, 6, 0.2, true, 5);
  Matrix wide(400, 60);
  for (int64_t i = 0; i < 400; ++i) {
    for (int64_t j = 0; j < 60; ++j) wide(i, j) = narrow(i, j % 6);
  }
  const auto labels = test::random_labels(400, 5, 6);
  EXPECT_NEAR(top_consistency(narrow, labels).rule.mean_consistency,
              top_consistency(wide, labels).rule.mean_consistency, 1e-12);
  EXPECT_NE(class_consistency(narrow, labels).strong.mean_consistency,
            class_consistency(wide, labels).strong.mean_consistency);
}

TEST(TopConsistency, OfFeaturesThatKnowNothingIsChance) {
  const Matrix features = test::random_features(3000, 200, 0.99, true, 21);
  const TopConsistency found = top_consistency(features, test::random_labels(3000, 10, 22));
  EXPECT_EQ(found.most, 28);
  EXPECT_LT(found.fewest, found.most);
  EXPECT_GT(found.mean_chance, 0.2);  // twice a class's share: there are few samples
  EXPECT_NEAR(found.rule.mean_consistency, found.mean_chance, 0.01);
}

TEST(TopConsistency, UnknownLabelsLeaveNothing) {
  const TopConsistency none = top_consistency(Matrix(2, 2, {1, 0, 1, 1}), std::vector<int64_t>{-1, -1});
  EXPECT_EQ(none.rule.features, 0);
  EXPECT_EQ(none.rule.mean_consistency, 0);
  EXPECT_EQ(none.fewest, 0);
}

TEST(TopConsistency, RejectsAShareThatIsNone) {
  const std::vector<int64_t> labels = {0, 1};
  EXPECT_THAT(test::message_of([&] { top_consistency(Matrix(2, 2), labels, {.top = 0}); }),
              HasSubstr("[top_consistency] expected a share above 0 and up to 1, got 0"));
  EXPECT_THAT(test::message_of([&] { top_consistency(Matrix(0, 2), {}); }), HasSubstr("got 0 x 2"));
  EXPECT_THAT(test::message_of([&] { top_consistency(Matrix(3, 2), labels); }), HasSubstr("each of the 3 rows, got 2"));
}

TEST(Classes, AreRenumberedInRisingOrder) {
  const Classes classes = index_classes(std::vector<int64_t>{30, -1, 10, 30}, 4, "test");
  EXPECT_THAT(classes.of_row, ElementsAre(1, -1, 0, 1));
  EXPECT_THAT(classes.numbers, ElementsAre(10, 30));
  EXPECT_EQ(classes.labelled, 3);
}

}  // namespace
}  // namespace orthant::measure
