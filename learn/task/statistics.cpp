#include "learn/task/statistics.h"

#include "orthant/core/error.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/consistency.h"
#include "orthant/measure/official.h"

namespace orthant {

FeatureStatistics feature_statistics(const Matrix& features, std::span<const int64_t> labels) {
  check(features.rows() > 0 && features.cols() > 0, "[statistics] expected features, got ", features.rows(), " x ",
        features.cols());
  check(labels.empty() || static_cast<int64_t>(labels.size()) == features.rows(), "[statistics] expected ",
        features.rows(), " labels or none, got ", labels.size());
  FeatureStatistics statistics;
  if (!labels.empty()) {
    const measure::ClassConsistency found = measure::class_consistency(features, labels);
    statistics.consistency = found.positive.mean_consistency;
    statistics.consistency_abs = found.active.mean_consistency;
    const measure::TopConsistency top = measure::top_consistency(features, labels);
    statistics.consistency_top = top.rule.mean_consistency;
    statistics.consistency_top_chance = top.mean_chance;
  }
  const measure::OfficialStatistics log = measure::official_statistics(features, {});
  statistics.sparsity = log.training_sparsity;
  statistics.correlation = log.training_correlation;
  statistics.non_negative = log.non_negative_ratio;
  statistics.active_features = log.active_features;
  statistics.effective_rank = log.effective_rank;
  statistics.dead_features = log.training_dead;
  statistics.zero_rows = measure::activity(features).zero_rows;
  return statistics;
}

}  // namespace orthant
