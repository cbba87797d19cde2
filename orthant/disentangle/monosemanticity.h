#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::disentangle {

struct MonosemanticityOptions {
  int threads = 0;  // 0: what the machine offers; results do not depend on it
};

// How alike the items are that a feature is on for, by a reference that knows nothing of the features (MonoScore).
struct Monosemanticity {
  // [D]: mean cosine of two items, weighted by how far the feature is on for both; NaN for a feature that is not on for
  // two items at least.
  std::vector<double> scores;
  double mean = 0;          // over the features that have a score
  double lowest_tenth = 0;  // a tenth of them score this or less
  double chance = 0;        // the expectation of every score if the items were shuffled: the mean cosine of two items
  int64_t features = 0;     // that have a score
  int64_t items = 0;        // that have a direction in the reference; the others are left out
};

// Of features [N, D] by a reference [N, F]. With a_ik the feature between its smallest and its largest value over the
// items, scaled to 0 and 1, and e_i the reference at unit length:
//
//   MS_k = sum_{i<j} a_ik a_jk e_i.e_j / sum_{i<j} a_ik a_jk = (|w_k|^2 - v_k) / (u_k^2 - v_k),
//   w_k = sum_i a_ik e_i,  u_k = sum_i a_ik,  v_k = sum_i a_ik^2
//
// so that it takes O(stored entries * F) time and O(D F) memory. std::invalid_argument for another number of rows than
// the features have, or fewer than two items with a direction.
Monosemanticity monosemanticity(const Features& features, const Features& reference,
                                const MonosemanticityOptions& options = {});

}  // namespace orthant::disentangle
