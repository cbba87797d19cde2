#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "learn/task/online_classifier.h"
#include "learn/task/statistics.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(FeatureStatistics, ByHand) {
  // Rows of length 5, 2, 0, 1; feature 3 is dead.
  const Matrix features(4, 4, {3, 4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0});
  const std::vector<int64_t> labels = {0, 1, 1, 1};
  const FeatureStatistics s = feature_statistics(features, labels);
  EXPECT_DOUBLE_EQ(s.consistency, (1.0 + 0.5) / 2);            // features 0 and 1; feature 2 is never positive
  EXPECT_DOUBLE_EQ(s.consistency_abs, (1.0 + 0.5 + 1.0) / 3);  // and feature 2
  EXPECT_DOUBLE_EQ(s.consistency_top, 1);                      // one item each: row 0 and row 1
  EXPECT_DOUBLE_EQ(s.consistency_top_chance, 1);
  EXPECT_DOUBLE_EQ(s.sparsity, 12.0 / 16);
  EXPECT_DOUBLE_EQ(s.non_negative, 15.0 / 16);
  EXPECT_EQ(s.active_features, 3);
  EXPECT_EQ(s.dead_features, 1);
  EXPECT_EQ(s.zero_rows, 1);
  // Columns (0.6), (0.8, 1), (-1): the first two have cosine 0.48 / (0.6 * sqrt 1.64).
  EXPECT_NEAR(s.correlation, 2 * 0.48 / (0.6 * std::sqrt(1.64)) / 9, 1e-6);
}

TEST(FeatureStatistics, TheRankOfOrthogonalFeaturesIsTheLogarithmOfTheirNumber) {
  Matrix features(8, 8);
  for (int64_t i = 0; i < 8; ++i) features(i, i) = static_cast<float>(i + 1);
  EXPECT_NEAR(feature_statistics(features, {}).effective_rank, std::log(8.0), 1e-4);
  const Matrix one(3, 2, {1, 1, 2, 2, 3, 3});
  EXPECT_NEAR(feature_statistics(one, {}).effective_rank, 0, 1e-4);
}

TEST(FeatureStatistics, RefusesWhatDoesNotFit) {
  EXPECT_THAT(message_of([] { feature_statistics(Matrix(0, 3), {}); }), HasSubstr("expected features"));
  const std::vector<int64_t> two = {0, 1};
  EXPECT_THAT(message_of([&] { feature_statistics(Matrix(3, 1), two); }), HasSubstr("3 labels or none, got 2"));
}

TEST(OnlineClassifier, LearnsSeparableClassesAndPassesOverTheUnknown) {
  OnlineClassifier classifier(2, 2);
  const at::Tensor features = at::tensor({1.0F, 0.0F, 0.0F, 1.0F, 9.0F, 9.0F}).view({3, 2});
  const std::vector<int64_t> labels = {0, 1, -1};
  const auto first = classifier.backward(features, labels);
  EXPECT_NEAR(first.loss, std::log(2.0), 1e-6);
  EXPECT_EQ(first.counted, 2);
  OnlineClassifier::Result last;
  for (int step = 0; step < 50; ++step) {
    classifier.step(0.5);
    last = classifier.backward(features, labels);
  }
  EXPECT_EQ(last.correct, 2);
  EXPECT_LT(last.loss, 0.1);
}

TEST(OnlineClassifier, NeverReachesTheEncoder) {
  OnlineClassifier classifier(2, 2);
  const at::Tensor features = at::ones({2, 2}).requires_grad_(true);
  classifier.backward(features, std::vector<int64_t>{0, 1});
  classifier.step(0.5);
  EXPECT_FALSE(features.grad().defined());
}

}  // namespace
}  // namespace orthant
