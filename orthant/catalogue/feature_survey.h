#pragma once

#include <cstdint>
#include <vector>

#include "orthant/catalogue/correlation_map.h"
#include "orthant/catalogue/feature_profile.h"
#include "orthant/catalogue/histogram.h"
#include "orthant/catalogue/items.h"
#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/search/columns.h"

namespace orthant::catalogue {

// An entry is active, or a feature fires, if |x| is above it: the threshold of every measure.
inline constexpr float kFiringThreshold = 1e-5F;

// What is known of all features [N, D] of a catalogue at once, for the classes C of its items.
struct FeatureSurvey {
  std::vector<FeatureSummary> summaries;  // [D]
  std::vector<int64_t> class_sizes;       // [C]: items of each class; empty without labels, likewise below
  DenseMatrix<int64_t> class_counts;      // [D, C]: items of each class on the positive side of a feature
  DenseMatrix<int64_t> negative_counts;   // [D, C]: the same of the negative side
  Matrix cosines;                         // [D, D] of columns; 0 where one of them is zero
  Histogram active;                       // items by number of features that fire
  Histogram consistency;                  // features by class consistency, 20 ranges; empty without labels
  CorrelationMap correlation;             // of the live features, the 256 with the largest expected activation
};

// `columns` are those of the features. Does not depend on the number of threads.
// std::invalid_argument if N or D is zero.
FeatureSurvey survey_features(const Features& features, const search::Columns& columns, const Items& items,
                              int threads);

}  // namespace orthant::catalogue
