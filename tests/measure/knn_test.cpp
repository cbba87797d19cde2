#include "orthant/measure/knn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "orthant/io/array.h"
#include "orthant/io/npz.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::HasSubstr;
using Labels = std::vector<int64_t>;

TEST(Knn, TakesTheClassOfMostNeighbours) {
  const Matrix bank(4, 2, {1, 0, 0.9F, 0.1F, 0.8F, 0.3F, 0, 1});
  const Matrix queries(2, 2, {1, 0.05F, 0, 2});
  const auto found = knn_accuracy(bank, Labels{1, 0, 0, 2}, queries, Labels{0, 2}, {.k = 3});
  EXPECT_EQ(found.counted, 2);
  EXPECT_DOUBLE_EQ(found.accuracy, 0.5);  // the second query's neighbours are of classes 2, 0 and 0
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, Labels{1, 0, 0, 2}, queries, Labels{1, 2}, {.k = 1}).accuracy, 1);
}

TEST(Knn, ComparesByCosineAndLowersKToTheBank) {
  const Matrix bank(5, 2, {1, 0, 10, 1, 1, 0.2F, 0, 1, 0, 5});
  const Labels labels = {0, 0, 0, 1, 1};
  const Matrix queries(3, 2, {2, 0.1F, 0.1F, 3, 0.1F, 1});
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, labels, queries, Labels{0, 1, 1}, {.k = 2}).accuracy, 1);
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, labels, queries, Labels{0, 0, -1}, {.k = 2}).accuracy, 0.5);
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, labels, queries, Labels{0, 0, 0}, {.k = 100}).accuracy, 1);
}

TEST(Knn, DecidesEqualVotesByTheLargerSumOfCosinesThenByTheLowerClass) {
  const Matrix bank(4, 2, {1, 0, 0, 1, 1, 0.1F, 0, 1});
  const Matrix query(1, 2, {1, 0.2F});
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, Labels{5, 3, 5, 3}, query, Labels{5}, {.k = 4}).accuracy, 1);
  const Matrix same(2, 1, {1, 1});
  EXPECT_DOUBLE_EQ(knn_accuracy(same, Labels{7, 4}, Matrix(1, 1, {1}), Labels{4}, {.k = 2}).accuracy, 1);
}

TEST(Knn, LeavesUnknownClassesOut) {
  const Matrix bank(3, 1, {1, 1, 1});
  const auto found = knn_accuracy(bank, Labels{-1, -1, 2}, Matrix(3, 1, {1, 1, 1}), Labels{2, -1, 0}, {.k = 3});
  EXPECT_EQ(found.counted, 2);
  EXPECT_EQ(found.left_out, 1);
  EXPECT_DOUBLE_EQ(found.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(knn_accuracy(bank, Labels{-1, -1, -1}, bank, Labels{0, 1, 2}, {.k = 2}).accuracy, 0);
  EXPECT_EQ(knn_accuracy(bank, Labels{0, 0, 0}, bank, Labels{-1, -1, -1}).counted, 0);
}

TEST(Knn, LeaveOneOutNeverAsksTheRowItself) {
  const Matrix features(4, 2, {1, 0, 1, 0, 0, 1, 0, 1});
  EXPECT_DOUBLE_EQ(knn_accuracy(features, Labels{0, 1, 2, 2}, {.k = 1}).accuracy, 0.5);
  const auto alone = knn_accuracy(Matrix(1, 2), Labels{0});
  EXPECT_EQ(alone.counted, 1);
  EXPECT_DOUBLE_EQ(alone.accuracy, 0);
}

TEST(Knn, FindsTheNearestThatScikitLearnFinds) {
  const auto file = io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/retrieval.npz");
  const Matrix features = io::to_matrix(file.read("dense.features"), "features");
  const io::Array stored = file.read("dense.labels");
  const auto labels = stored.as<int64_t>();
  const int64_t half = features.rows() / 2;
  const Matrix bank = Matrix::borrow(features.data(), half, features.cols(), nullptr);
  const Matrix queries = Matrix::borrow(features.data() + half * features.cols(), half, features.cols(), nullptr);
  const auto found = knn_accuracy(bank, labels.first(static_cast<size_t>(half)), queries,
                                  labels.last(static_cast<size_t>(half)), {.k = 1});
  EXPECT_DOUBLE_EQ(found.accuracy, file.read("dense.nearest").as<double>()[0]);
}

TEST(Knn, RejectsLabelsThatDoNotFit) {
  const Matrix features(3, 2);
  EXPECT_THAT(test::message_of([&] {
                knn_accuracy(features, Labels{0, 1}, {});
              }),
              HasSubstr("[k-NN] expected a label for each of 3 rows and 3 queries, got 2 and 2"));
  EXPECT_THAT(test::message_of([&] {
                knn_accuracy(features, Labels{0, 1, -2}, {});
              }),
              HasSubstr("expected labels from -1 (unknown), got -2"));
  EXPECT_THAT(test::message_of([&] {
                knn_accuracy(features, Labels{0, 1, 1}, {.k = 0});
              }),
              HasSubstr("expected k of at least 1"));
}

}  // namespace
}  // namespace orthant::measure
