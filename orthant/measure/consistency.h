#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::measure {

struct ConsistencyOptions {
  double threshold = 1e-5;  // of the rules `active` and `positive`; not negative
  double strong = 0.1;      // of the rule `strong`; not negative
  double top = 0.01;        // share of the labelled samples that top_consistency looks at; above 0, at most 1
  int threads = 0;          // 0: what the machine offers
};

// How well single features tell classes, under one rule for which samples activate a feature.
struct RuleConsistency {
  // [D]: share of the most frequent class among the samples that activate the feature; NaN where there are none.
  std::vector<double> consistency;
  // [D]: entropy of the classes among them, in nats; NaN where there are none.
  std::vector<double> entropy;
  std::vector<int64_t> samples;  // [D]: how many labelled samples activate the feature

  int64_t features = 0;         // with any such sample: the means are over these
  double mean_consistency = 0;  // 0 if there are no such features, likewise below
  double mean_entropy = 0;
};

// The three rules in use (section 5.1 of the paper's official code), each on rows scaled to unit length; a zero row
// activates nothing.
struct ClassConsistency {
  RuleConsistency active;    // |x| > threshold: dense signed features score the largest class's share
  RuleConsistency positive;  // x > threshold
  RuleConsistency strong;    // x > strong
  int64_t classes = 0;       // that occur
  int64_t labelled = 0;      // samples with a label
};

// Class consistency and entropy of features [N, D]. `labels` holds N classes in any numbering; -1 is unknown, and such
// samples are left out. Ties between most frequent classes do not matter: the share is the same. One pass over the
// rows; memory O(C D) for C classes and each thread. Counts are exact, so the result depends neither on the number of
// threads nor on whether the features are dense or sparse. std::invalid_argument if N or D is zero, the labels are not
// N, one is below -1, or a threshold is negative.
ClassConsistency class_consistency(const Features& features, std::span<const int64_t> labels,
                                   const ConsistencyOptions& options = {});

// By a fourth rule, which does not depend on how many features there are: the strongest samples of each feature. Those
// are the `top` share of the labelled samples, rounded up, in which the feature is largest and above the threshold,
// rows scaled to unit length; fewer if fewer are, and of equal ones the first.
struct TopConsistency {
  RuleConsistency rule;
  std::vector<double> chance;  // [D]: the consistency of as many samples drawn at random; NaN where there are none

  int64_t classes = 0;      // that occur
  int64_t most = 0;         // samples of a feature at most
  int64_t fewest = 0;       // of a feature with any; 0 if no feature has
  double mean_samples = 0;  // over the features with any, likewise below; 0 if no feature has
  double mean_chance = 0;
};

// Takes what class_consistency takes. One pass over the rows; the result depends neither on the number of threads nor
// on whether the features are dense or sparse. Chance is an estimate with a fixed seed (disentangle/chance_purity.h).
// std::invalid_argument also for a `top` that is out of range.
TopConsistency top_consistency(const Features& features, std::span<const int64_t> labels,
                               const ConsistencyOptions& options = {});

// The same as class_consistency from counts [C, D] of samples that activate each feature, by class. `epsilon` is added
// inside the logarithm of the entropy: 0 is right, the official code adds its threshold.
RuleConsistency judge_counts(std::span<const int32_t> counts, int64_t features, double epsilon = 0);

}  // namespace orthant::measure
