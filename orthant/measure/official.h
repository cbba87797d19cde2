#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/features.h"

namespace orthant::measure {

// Class consistency as one of the official functions computes it.
struct OfficialConsistency {
  double consistency = 0;        // mean over features with any active sample; 0 if there are none, likewise below
  double entropy = 0;            // mean of -sum p log(p + eps), where eps is the rule's threshold
  double entropy_deviation = 0;  // its standard deviation over features, by n - 1; NaN for one feature
  int64_t features = 0;          // with any active sample
};

// What the official code of the paper prints for features [N, D], quirks included, so that published numbers can be
// reproduced. docs/measures.md says where and why these differ from the measures of the other headers. What is taken
// over no feature at all is 0, with a number of features that says so.
struct OfficialStatistics {
  // The final evaluation, on features as they are unless noted:
  OfficialConsistency evaluation;  // features with sum max(x, 0) > 0 only, then rows scaled, then |x| > 1e-5
  double sparsity = 0;             // share of |x| < 1e-2
  int64_t summed_features = 0;     // whose sum exceeds 10
  double correlation_median = 0;   // of |C - I| with its zero diagonal, over these; the lower of two in the middle

  // The separate script of metrics:
  OfficialConsistency metric;  // all features, rows scaled, x > 0.1
  int64_t dead_features = 0;   // with sum |x| < 1e-5, rows scaled

  // The training log, on rows scaled to unit length:
  OfficialConsistency training;     // features with any entry but zero, |x| > 1e-5
  double training_sparsity = 0;     // share of entries without |x| > 1e-5
  double training_correlation = 0;  // mean of |C - I| with its zero diagonal, over features with any entry but zero
  double non_negative_ratio = 0;    // share of x >= 0
  int64_t active_features = 0;      // with any entry but zero
  int64_t training_dead = 0;        // features without |x| > 1e-5
  double effective_rank = 0;
};

struct OfficialOptions {
  int threads = 0;  // 0: what the machine offers
};

// A few passes over the rows; memory O(D^2 + C D). `labels` as class_consistency() takes them; without any, the three
// consistencies stay zero. The result does not depend on the number of threads, nor on whether the features are dense
// or sparse. std::invalid_argument if N or D is zero or the labels do not fit.
OfficialStatistics official_statistics(const Features& features, std::span<const int64_t> labels,
                                       const OfficialOptions& options = {});

}  // namespace orthant::measure
