#include "orthant/measure/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Classes, AreRenumberedInRisingOrder) {
  const Classes classes = index_classes(std::vector<int64_t>{30, -1, 10, 30}, 4, "test");
  EXPECT_THAT(classes.of_row, ElementsAre(1, -1, 0, 1));
  EXPECT_THAT(classes.numbers, ElementsAre(10, 30));
  EXPECT_EQ(classes.labelled, 3);
}

}  // namespace
}  // namespace orthant::measure
