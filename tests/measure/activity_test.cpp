#include "orthant/measure/activity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Rows: two active, one active (an anchor of column 0), none, one negative (an anchor of column 3). Column 2 is dead
// although it holds a value below the threshold.
const Matrix kByHand(4, 4,
                     {3, 4, 0, 0,      //
                      2, 0, 1e-6F, 0,  //
                      0, 0, 0, 0,      //
                      0, 0, 0, -5});

TEST(Activity, CountsTheCaseDoneByHand) {
  const Activity found = activity(kByHand);
  EXPECT_DOUBLE_EQ(found.sparsity, 12.0 / 16);
  EXPECT_DOUBLE_EQ(found.active_per_sample, 1);
  EXPECT_DOUBLE_EQ(found.non_negative_ratio, 15.0 / 16);
  EXPECT_EQ(found.dead_features, 1);
  EXPECT_EQ(found.zero_rows, 1);
  EXPECT_EQ(found.anchored_features, 2);
  EXPECT_THAT(found.active_histogram, ElementsAre(1, 2, 1, 0, 0));
  EXPECT_THAT(found.firing, ElementsAre(2, 1, 0, 1));
  EXPECT_THAT(found.anchors, ElementsAre(1, 0, 0, 1));
  EXPECT_NEAR(found.expected[0], (0.6 + 1) / 4, 1e-9);
  EXPECT_NEAR(found.expected[3], -0.25, 1e-9);
  EXPECT_NEAR(found.expected_relu[1], 0.2, 1e-9);
  EXPECT_EQ(found.expected_relu[3], 0);
  EXPECT_THAT(live_features(kByHand), ElementsAre(0, 1, 3));
}

TEST(Activity, QuantilesAreOfSamples) {
  const Activity found = activity(kByHand);
  EXPECT_EQ(found.active_quantile(0), 0);
  EXPECT_EQ(found.active_quantile(0.25), 0);
  EXPECT_EQ(found.active_quantile(0.5), 1);
  EXPECT_EQ(found.active_quantile(0.75), 1);
  EXPECT_EQ(found.active_quantile(1), 2);
}

TEST(Activity, TheThresholdIsAnOption) {
  const Activity found = activity(kByHand, {.threshold = 2.5});
  EXPECT_DOUBLE_EQ(found.sparsity, 13.0 / 16);
  EXPECT_EQ(found.dead_features, 1);
  EXPECT_EQ(activity(kByHand, {.threshold = 1e-7}).dead_features, 0);
}

TEST(Activity, AnEntryAtTheThresholdIsNeitherNearZeroNorActive) {
  const Activity found = activity(Matrix(1, 2, {0.5F, -0.5F}), {.threshold = 0.5});
  EXPECT_EQ(found.sparsity, 0);
  EXPECT_EQ(found.active_per_sample, 0);
}

TEST(Activity, IsTheSameForDenseAndSparseAndAnyNumberOfThreads) {
  for (const double zeros : {0.0, 0.3, 0.95}) {
    const Matrix dense = test::random_features(301, 17, zeros, false, 5);
    const SparseMatrix sparse = SparseMatrix::from_dense(dense);
    const Activity one = activity(dense, {.threads = 1});
    for (const Activity& other : {activity(dense, {.threads = 3}), activity(sparse, {.threads = 2})}) {
      EXPECT_EQ(one.sparsity, other.sparsity);
      EXPECT_EQ(one.non_negative_ratio, other.non_negative_ratio);
      EXPECT_EQ(one.zero_rows, other.zero_rows);
      EXPECT_EQ(one.active_histogram, other.active_histogram);
      EXPECT_EQ(one.firing, other.firing);
      EXPECT_EQ(one.anchors, other.anchors);
      EXPECT_EQ(one.expected, other.expected);
      EXPECT_EQ(one.expected_relu, other.expected_relu);
    }
    EXPECT_EQ(std::reduce(one.active_histogram.begin(), one.active_histogram.end()), 301);
  }
}

TEST(Activity, TakesASingleSampleAndASingleFeature) {
  const Activity one = activity(Matrix(1, 1, {2.0F}));
  EXPECT_EQ(one.anchored_features, 1);
  EXPECT_EQ(one.expected[0], 1);
  const Activity zero = activity(Matrix(1, 1, {0.0F}));
  EXPECT_EQ(zero.sparsity, 1);
  EXPECT_EQ(zero.zero_rows, 1);
  EXPECT_EQ(zero.dead_features, 1);
}

TEST(Activity, RejectsNothingToMeasureAndThresholdsNotAboveZero) {
  EXPECT_THAT(test::message_of([] { activity(Matrix(0, 3)); }), HasSubstr("[activity] expected features, got 0 x 3"));
  EXPECT_THAT(test::message_of([] { activity(Matrix(3, 0)); }), HasSubstr("got 3 x 0"));
  EXPECT_THAT(test::message_of([] { activity(kByHand, {.threshold = 0}); }), HasSubstr("threshold above 0, got 0"));
}

}  // namespace
}  // namespace orthant::measure
