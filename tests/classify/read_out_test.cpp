#include "orthant/classify/read_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/classify/scores.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::classify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadOut, ByHand) {
  const Classifier classifier{Matrix(2, 2, {1, 0, 0, 1}), {0, 0.5F}};
  const Matrix rows(3, 2, {2, 0, 0, 1, 1, 1});
  const std::vector<int64_t> labels = {0, 1, 0};
  const ReadOut found = read_out(classifier, rows, labels);
  EXPECT_THAT(found.predicted, ElementsAre(0, 1, 1));
  EXPECT_EQ(found.confusion.counts(0, 1), 1);
  EXPECT_DOUBLE_EQ(found.confusion.accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.carried[0].score, 1.5);
  EXPECT_EQ(read_out(classifier, rows, {}).confusion.unlabelled, 3);
}

TEST(ReadOut, APredictionIsTheLargestScoreAndTheNext) {
  const Matrix rows = test::random_features(40, 20, 0.5, false, 3);
  Classifier classifier{test::random_features(6, 20, 0, false, 4), std::vector<float>(6)};
  classifier.bias[2] = -INFINITY;
  const Matrix all = scores(classifier, rows);
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const Prediction found = predict(classifier, rows, i);
    int above = 0;
    for (int64_t c = 0; c < 6; ++c) {
      EXPECT_LE(all(i, c), all(i, found.parts.class_number));
      above += all(i, c) > all(i, found.runner_up) ? 1 : 0;
    }
    EXPECT_LE(above, 1);
    EXPECT_NE(found.runner_up, found.parts.class_number);
    EXPECT_NE(found.runner_up, 2) << "never predicted";
    EXPECT_NEAR(found.parts.score, all(i, found.parts.class_number), 1e-5);
  }
}

TEST(ReadOut, RejectsWhatDoesNotFit) {
  const Classifier classifier{Matrix(1, 2, {1, 0}), {0}};
  EXPECT_EQ(predict(classifier, Matrix(1, 2), 0).runner_up, -1);
  EXPECT_THAT(test::message_of([&] { predict(classifier, Matrix(1, 2), 1); }), HasSubstr("expected a row from 0 to 0"));
  EXPECT_THAT(test::message_of([&] { read_out(classifier, Matrix(1, 3), {}); }), HasSubstr("expected 2 features"));
}

}  // namespace
}  // namespace orthant::classify
