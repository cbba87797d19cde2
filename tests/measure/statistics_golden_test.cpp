#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "orthant/io/npz.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/consistency.h"
#include "orthant/measure/correlation.h"
#include "orthant/measure/effective_rank.h"
#include "orthant/measure/official.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::HasSubstr;

// Features and what make_statistics.py, or another script of that folder, says of them.
class Golden {
 public:
  explicit Golden(const std::string& name, const std::string& file = "statistics")
      : file_(io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/" + file + ".npz")),
        name_(name),
        dense_(io::to_matrix(file_.read(name + ".features"), name)),
        sparse_(SparseMatrix::from_dense(dense_)),
        labels_(io::to_integers(file_.read(name + ".labels"), name)) {}

  double number(const std::string& key, size_t i = 0) const { return file_.read(name_ + "." + key).as<double>()[i]; }
  std::vector<Features> features() const { return {dense_, sparse_}; }
  const std::vector<int64_t>& labels() const { return labels_; }

 private:
  io::Npz file_;
  std::string name_;
  Matrix dense_;
  SparseMatrix sparse_;
  std::vector<int64_t> labels_;
};

TEST(StatisticsGolden, ActivityIsNumPys) {
  for (const char* name : {"signed", "sparse"}) {
    const Golden golden(name);
    for (const Features& features : golden.features()) {
      const Activity found = activity(features);
      EXPECT_DOUBLE_EQ(found.sparsity, golden.number("sparsity"));
      EXPECT_DOUBLE_EQ(found.active_per_sample, golden.number("active_per_sample"));
      EXPECT_DOUBLE_EQ(found.non_negative_ratio, golden.number("non_negative_ratio"));
      EXPECT_EQ(static_cast<double>(found.dead_features), golden.number("dead_features"));
      EXPECT_EQ(static_cast<double>(found.zero_rows), golden.number("zero_rows"));
      EXPECT_EQ(static_cast<double>(found.anchored_features), golden.number("anchored_features"));
      for (size_t j = 0; j < found.expected.size(); ++j) {
        EXPECT_NEAR(found.expected[j], golden.number("expected", j), 1e-9);
        EXPECT_NEAR(found.expected_relu[j], golden.number("expected_relu", j), 1e-9);
      }
    }
  }
}

TEST(StatisticsGolden, ConsistencyIsNumPys) {
  for (const char* name : {"signed", "sparse"}) {
    const Golden golden(name);
    for (const Features& features : golden.features()) {
      const ClassConsistency found = class_consistency(features, golden.labels());
      EXPECT_NEAR(found.active.mean_consistency, golden.number("consistency_active"), 1e-9);
      EXPECT_NEAR(found.positive.mean_consistency, golden.number("consistency_positive"), 1e-9);
      EXPECT_NEAR(found.strong.mean_consistency, golden.number("consistency_strong"), 1e-9);
      EXPECT_NEAR(found.active.mean_entropy, golden.number("entropy_active"), 1e-9);
      EXPECT_NEAR(found.positive.mean_entropy, golden.number("entropy_positive"), 1e-9);
      EXPECT_NEAR(found.strong.mean_entropy, golden.number("entropy_strong"), 1e-9);
    }
  }
}

TEST(StatisticsGolden, CorrelationAndRankAreNumPys) {
  for (const char* name : {"signed", "sparse"}) {
    const Golden golden(name);
    for (const Features& features : golden.features()) {
      const Correlation found = correlation(features);
      EXPECT_NEAR(found.mean, golden.number("correlation_mean"), 1e-9);
      EXPECT_NEAR(found.median, golden.number("correlation_median"), 1e-9);
      EXPECT_NEAR(effective_rank(features), golden.number("effective_rank"), 1e-6);
    }
  }
}

TEST(Official, IsWhatThePublishedRulesGiveInPyTorch) {
  for (const char* name : {"signed", "sparse"}) {
    const Golden golden(name, "official");
    for (const Features& features : golden.features()) {
      const OfficialStatistics found = official_statistics(features, golden.labels());
      for (const auto& [rule, key] : {std::pair(found.evaluation, "evaluation"), std::pair(found.metric, "metric"),
                                      std::pair(found.training, "training")}) {
        EXPECT_NEAR(rule.consistency, golden.number(key, 0), 1e-9) << name << key;
        EXPECT_NEAR(rule.entropy, golden.number(key, 1), 1e-6) << name << key;
        EXPECT_NEAR(rule.entropy_deviation, golden.number(key, 2), 1e-6) << name << key;
      }
      EXPECT_NEAR(found.sparsity, golden.number("sparsity"), 1e-9);
      EXPECT_EQ(static_cast<double>(found.dead_features), std::round(20 * golden.number("dead_share")));
      EXPECT_NEAR(found.correlation_median, golden.number("correlation_median"), 1e-9);
      EXPECT_NEAR(found.training_correlation, golden.number("training_correlation"), 1e-9);
      EXPECT_NEAR(found.training_sparsity, golden.number("training_sparsity"), 1e-9);
      EXPECT_EQ(static_cast<double>(found.active_features), golden.number("active_features"));
    }
  }
}

TEST(Official, TheTrainingLogsRankAndSignsAreOurs) {
  for (const char* name : {"signed", "sparse"}) {
    const Golden golden(name);
    for (const Features& features : golden.features()) {
      const OfficialStatistics found = official_statistics(features, golden.labels());
      EXPECT_NEAR(found.effective_rank, golden.number("effective_rank"), 1e-6);
      EXPECT_NEAR(found.non_negative_ratio, golden.number("non_negative_ratio"), 1e-9);
    }
  }
}

TEST(Official, DropsFeaturesThatNeverRiseBeforeScalingRows) {
  // Column 0 never rises. With it, 1e-4 would be below 1e-5 of the row's length; without it, it is the whole row.
  const Matrix features(2, 2, {-1000, 1e-4F, -1000, 1e-4F});
  const std::vector<int64_t> labels = {0, 1};
  const OfficialStatistics found = official_statistics(features, labels);
  EXPECT_EQ(found.evaluation.features, 1);
  EXPECT_DOUBLE_EQ(found.evaluation.consistency, 0.5);
  EXPECT_EQ(found.training.features, 1);
  EXPECT_EQ(found.metric.features, 0);
}

TEST(Official, TakesZerosASingleSampleAndNoLabels) {
  const OfficialStatistics zeros = official_statistics(Matrix(3, 2), {});
  EXPECT_EQ(zeros.dead_features, 2);
  EXPECT_EQ(zeros.active_features, 0);
  EXPECT_EQ(zeros.summed_features, 0);
  EXPECT_EQ(zeros.training_correlation, 0);
  EXPECT_EQ(zeros.correlation_median, 0);
  EXPECT_EQ(zeros.evaluation.features, 0);
  const OfficialStatistics one = official_statistics(Matrix(1, 1, {20.0F}), std::vector<int64_t>{4});
  EXPECT_EQ(one.evaluation.consistency, 1);
  EXPECT_TRUE(std::isnan(one.evaluation.entropy_deviation));
  EXPECT_EQ(one.summed_features, 1);
  EXPECT_EQ(one.correlation_median, 0);
  EXPECT_THAT(test::message_of([] { official_statistics(Matrix(0, 1), {}); }), HasSubstr("got 0 x 1"));
}

TEST(Official, DoesNotDependOnThreads) {
  const Matrix dense = test::random_features(400, 70, 0.5, false, 77);
  const auto labels = test::random_labels(400, 5, 78);
  const OfficialStatistics one = official_statistics(dense, labels, {.threads = 1});
  const OfficialStatistics three = official_statistics(dense, labels, {.threads = 3});
  EXPECT_EQ(one.evaluation.consistency, three.evaluation.consistency);
  EXPECT_EQ(one.correlation_median, three.correlation_median);
  EXPECT_EQ(one.training_correlation, three.training_correlation);
  EXPECT_EQ(one.effective_rank, three.effective_rank);
}

}  // namespace
}  // namespace orthant::measure
