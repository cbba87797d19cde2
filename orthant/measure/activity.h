#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::measure {

struct ActivityOptions {
  double threshold = 1e-5;  // an entry is active if |x| > threshold; above 0
  int threads = 0;          // 0: what the machine offers
};

// Which entries of features [N, D] are active, taken as they are (rows are not scaled, as in the paper's sparsity).
// "Sample" is a row, "feature" a column.
struct Activity {
  double sparsity = 0;            // share of entries with |x| < threshold
  double active_per_sample = 0;   // mean number of active features in a row
  double non_negative_ratio = 0;  // share of entries with x >= 0
  int64_t dead_features = 0;      // without any active entry
  int64_t zero_rows = 0;          // whose entries are all exactly 0
  int64_t anchored_features = 0;  // that are the only active one of at least one sample (the paper's Theorem 5)

  std::vector<int64_t> active_histogram;  // [D + 1]: how many samples have 0, 1, ..., D active features
  std::vector<int64_t> firing;            // [D]: in how many samples each feature is active
  std::vector<int64_t> anchors;           // [D]: of how many samples each is the only active feature

  // [D]: mean of each feature over rows scaled to unit length (a zero row counts as zeros): of the entries as they
  // are, and of max(x, 0), which is what is scaled then. The paper ranks features by the second (section 5.5).
  std::vector<double> expected;
  std::vector<double> expected_relu;

  // The smallest number of active features that at least share * N samples do not exceed; share from 0 to 1.
  int64_t active_quantile(double share) const;
};

// One pass over the rows. Memory: O(D) for each of at most 64 blocks of rows. The result does not depend on the number
// of threads, nor on whether the features are dense or sparse. std::invalid_argument if N or D is zero or the threshold
// is not above 0.
Activity activity(const Features& features, const ActivityOptions& options = {});

// The features with at least one entry |x| > threshold, in order; what the other measures call live.
std::vector<int64_t> live_features(const Features& features, const ActivityOptions& options = {});

}  // namespace orthant::measure
