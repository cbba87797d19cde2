#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::disentangle {

struct MergeOptions {
  double above = 0.95;  // columns with a larger cosine are duplicates
  int threads = 0;
};

// Which features are copies of each other. With more features than there are latent classes non-negative learning may
// split one into several proportional columns, which measures of gaps between the best two (MIG, SAP) punish.
struct FeatureGroups {
  std::vector<int64_t> group;  // [D] of each feature, numbered in the order of the first feature in each
  int64_t count = 0;           // groups; D if there are no duplicates
};

// Features [N, D] from the longest column to the shortest (the first of equal ones): each joins the earliest leader
// whose cosine with it is above the threshold, or else leads a group of its own; so every member is close to its
// leader, and no chain ties together what is far apart. A zero column is always alone. Opposite columns are no
// duplicates: the cosine is signed. Memory: D^2. std::invalid_argument for a threshold outside 0..1.
FeatureGroups duplicate_features(const Features& features, const MergeOptions& options = {});
// The same from the inner products of the columns [D, D].
FeatureGroups duplicate_features(const Matrix64& gram, const MergeOptions& options = {});

// Features [N, groups]: the sum of each group's columns, which is proportional to what was split. std::invalid_argument
// if the groups are not of these features.
SparseMatrix merge_features(const Features& features, const FeatureGroups& groups);

}  // namespace orthant::disentangle
