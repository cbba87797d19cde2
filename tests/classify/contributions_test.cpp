#include "orthant/classify/contributions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/classify/scores.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::classify {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<int64_t>;

Classifier random_classifier(bool unit_rows) {
  Classifier classifier{test::random_features(5, 30, 0, false, 12), {}, {}, unit_rows};  // class 2 has no weights
  for (int c = 0; c < 5; ++c) classifier.bias.push_back(0.3F * static_cast<float>(c) - 0.5F);
  return classifier;
}

double sum_of(const ScoreParts& parts) {
  double sum = parts.bias;
  for (const Contribution& part : parts.parts) sum += part.value;
  return sum;
}

TEST(Contributions, AreWorkedOutByHand) {
  const Classifier classifier{Matrix(1, 4, {2, 1, -3, 9}), {0.5F}};
  const ScoreParts found = item_contributions(classifier, Matrix(1, 4, {1, 3, 1, 0}), 0, 0);
  EXPECT_DOUBLE_EQ(found.score, 2.5);
  ASSERT_EQ(found.parts.size(), 3U);
  EXPECT_EQ(found.parts[0].feature, 1);  // of size 3, as feature 2, which comes later
  EXPECT_EQ(found.parts[1].feature, 2);
  EXPECT_DOUBLE_EQ(found.parts[1].value, -3);
  EXPECT_DOUBLE_EQ(found.parts[1].share, 3.0 / 8);
  EXPECT_EQ(found.parts[2].feature, 0);
  EXPECT_DOUBLE_EQ(found.parts[2].activation, 1);
  EXPECT_DOUBLE_EQ(found.parts[2].weight, 2);
}

TEST(Contributions, AddUpToTheScoreOfEveryItemAndClass) {
  const Matrix dense = test::random_features(60, 30, 0.5, false, 11);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  for (const bool unit_rows : {false, true}) {
    const Classifier classifier = random_classifier(unit_rows);
    const Matrix expected = scores(classifier, dense);
    for (int64_t i = 0; i < dense.rows(); ++i) {
      for (int64_t c = 0; c < classifier.classes(); ++c) {
        const ScoreParts found = item_contributions(classifier, dense, i, c);
        const double score = expected(i, c);
        EXPECT_NEAR(sum_of(found), score, 1e-6 * std::abs(score));
        EXPECT_NEAR(found.score, score, 1e-6 * std::abs(score));
        const ScoreParts same = item_contributions(classifier, sparse, i, c);
        EXPECT_EQ(same.score, found.score);
        ASSERT_EQ(same.parts.size(), found.parts.size());
      }
    }
  }
}

TEST(Contributions, OfAClassAreTheMeanOverItsItems) {
  const Matrix dense = test::random_features(80, 30, 0.5, true, 21);
  Numbers labels = test::random_labels(80, 4, 22);  // no item of class 4
  const Classifier classifier = random_classifier(true);
  const auto found = class_contributions(classifier, dense, labels);
  const Matrix all = scores(classifier, dense);
  ASSERT_EQ(found.size(), 5U);
  for (int64_t c = 0; c < 4; ++c) {
    double mean = 0;
    int64_t items = 0;
    for (int64_t i = 0; i < dense.rows(); ++i) {
      if (labels[static_cast<size_t>(i)] != c) continue;
      mean += all(i, c);
      ++items;
    }
    const ScoreParts& parts = found[static_cast<size_t>(c)];
    EXPECT_EQ(parts.items, items);
    EXPECT_NEAR(parts.score, mean / static_cast<double>(items), 1e-6);
    EXPECT_NEAR(sum_of(parts), parts.score, 1e-9);
    double shares = 0;
    for (const Contribution& part : parts.parts) shares += part.share;
    EXPECT_NEAR(shares, c == 2 ? 0 : 1, 1e-9);
  }
  EXPECT_EQ(found[4].items, 0);
  EXPECT_TRUE(found[4].parts.empty());
  const auto sparse = class_contributions(classifier, SparseMatrix::from_dense(dense), labels);
  EXPECT_EQ(sparse[1].score, found[1].score);
}

TEST(Contributions, OfARowOfZerosAreNone) {
  const ScoreParts found = item_contributions(random_classifier(true), Matrix(1, 30), 0, 2);
  EXPECT_TRUE(found.parts.empty());
  EXPECT_EQ(found.score, found.bias);
}

TEST(Contributions, RejectWhatIsNotThere) {
  const Classifier classifier = random_classifier(false);
  EXPECT_THAT(test::message_of([&] { item_contributions(classifier, Matrix(1, 30), 1, 0); }),
              HasSubstr("expected a row below 1, got 1"));
  EXPECT_THAT(test::message_of([&] { item_contributions(classifier, Matrix(1, 30), 0, 5); }),
              HasSubstr("expected a class below 5, got 5"));
  EXPECT_THAT(test::message_of([&] { item_contributions(classifier, Matrix(1, 3), 0, 0); }),
              HasSubstr("expected 30 features, got 3"));
  EXPECT_THAT(
      test::message_of([&] { item_contributions(classifier, Matrix(1, 30, std::vector<float>(30, NAN)), 0, 0); }),
      HasSubstr("got nan in row 0, column 0"));
  EXPECT_THAT(test::message_of([&] { class_contributions(classifier, Matrix(1, 30), Numbers{7}); }),
              HasSubstr("expected labels from -1 (unknown) to 4, got 7 for row 0"));
  EXPECT_THAT(test::message_of([&] { class_contributions(classifier, Matrix(2, 30), Numbers{0}); }),
              HasSubstr("expected a label for each of 2 rows, got 1"));
}

}  // namespace
}  // namespace orthant::classify
