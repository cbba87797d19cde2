#include "orthant/measure/consistency.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/measure/class_counts.h"

namespace orthant::measure {

RuleConsistency judge_counts(std::span<const int32_t> counts, int64_t features, double epsilon) {
  const auto cols = static_cast<size_t>(features);
  RuleConsistency rule;
  rule.consistency.assign(cols, std::numeric_limits<double>::quiet_NaN());
  rule.entropy = rule.consistency;
  rule.samples.resize(cols);
  for (size_t j = 0; j < cols; ++j) {
    int64_t total = 0;
    int32_t most = 0;
    for (size_t at = j; at < counts.size(); at += cols) {
      total += counts[at];
      most = std::max(most, counts[at]);
    }
    rule.samples[j] = total;
    if (total == 0) continue;
    double entropy = 0;
    for (size_t at = j; at < counts.size(); at += cols) {
      const double share = counts[at] / static_cast<double>(total);
      if (share > 0) entropy -= share * std::log(share + epsilon);
    }
    rule.consistency[j] = most / static_cast<double>(total);
    rule.entropy[j] = entropy;
    rule.mean_consistency += rule.consistency[j];
    rule.mean_entropy += entropy;
    ++rule.features;
  }
  if (rule.features > 0) {
    rule.mean_consistency /= static_cast<double>(rule.features);
    rule.mean_entropy /= static_cast<double>(rule.features);
  }
  return rule;
}

ClassConsistency class_consistency(const Features& features, std::span<const int64_t> labels,
                                   const ConsistencyOptions& options) {
  check(features.rows() > 0 && features.cols() > 0, "[class_consistency] expected features, got ", features.rows(),
        " x ", features.cols());
  check(options.threshold >= 0 && options.strong >= 0, "[class_consistency] expected thresholds from 0 on, got ",
        options.threshold, " and ", options.strong);
  const Classes classes = index_classes(labels, features.rows(), "class_consistency");
  const ClassCounts counts = class_counts(features, classes, row_lengths(features, {}, options.threads),
                                          {options.threshold, options.strong}, options.threads);
  return {judge_counts(counts.active, features.cols()), judge_counts(counts.positive, features.cols()),
          judge_counts(counts.strong, features.cols()), classes.count(), classes.labelled};
}

}  // namespace orthant::measure
