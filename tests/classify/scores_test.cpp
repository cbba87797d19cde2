#include "orthant/classify/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::classify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Scores, AreWorkedOutByHand) {
  const Classifier classifier{Matrix(2, 2, {1, -1, 0, 2}), {0.5F, 0}};
  const Matrix found = scores(classifier, Matrix(2, 2, {3, 1, 0, 0}));
  EXPECT_EQ(found, Matrix(2, 2, {2.5F, 2, 0.5F, 0}));
  EXPECT_THAT(predictions(found), ElementsAre(0, 0));
}

TEST(Scores, OfUnitRowsDoNotDependOnLengthAndARowOfZerosGetsTheBias) {
  const Classifier classifier{Matrix(2, 2, {1, 0, 0, 1}), {0, 0.25F}, {}, true};
  const Matrix found = scores(classifier, Matrix(3, 2, {3, 4, 30, 40, 0, 0}));
  EXPECT_FLOAT_EQ(found(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(found(0, 1), 1.05F);
  EXPECT_EQ(found(1, 0), found(0, 0));
  EXPECT_EQ(found(2, 0), 0);
  EXPECT_EQ(found(2, 1), 0.25F);
}

TEST(Scores, OfEqualClassesPredictTheFirstAndNeverOneOfMinusInfinity) {
  const Classifier classifier{Matrix(3, 1, {5, 1, 1}), {-INFINITY, 0, 0}};
  EXPECT_THAT(predictions(scores(classifier, Matrix(1, 1, {2.0F}))), ElementsAre(1));
}

TEST(Scores, AreTheSameForSparseFeaturesAndAnyNumberOfThreads) {
  const Matrix dense = test::random_features(300, 40, 0.8, false, 1);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  for (const bool unit_rows : {false, true}) {
    const Classifier classifier{test::random_features(7, 40, 0, false, 2), std::vector<float>(7, 0.1F), {}, unit_rows};
    const Matrix one = scores(classifier, dense, 1);
    EXPECT_EQ(scores(classifier, sparse, 1), one);
    EXPECT_EQ(scores(classifier, dense, 3), one);
  }
}

TEST(Scores, RejectFeaturesThatDoNotFit) {
  const Classifier classifier{Matrix(2, 2, {1, 0, 0, 1}), {0, 0}};
  EXPECT_THAT(test::message_of([&] { scores(classifier, Matrix(1, 3)); }),
              HasSubstr("[classifier] expected 2 features, got 3"));
  EXPECT_THAT(test::message_of([&] {
                scores(classifier, Matrix(1, 2, {NAN, 0}));
              }),
              HasSubstr("expected finite features"));
  EXPECT_THAT(test::message_of([] { scores(Classifier{}, Matrix(1, 2)); }),
              HasSubstr("expected classes and features, got 0 x 0"));
}

}  // namespace
}  // namespace orthant::classify
