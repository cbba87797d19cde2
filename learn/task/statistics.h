#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/matrix.h"

namespace orthant {

// What the features of a set look like, each row scaled to unit length first (a zero row stays zero). An entry counts
// as active if it exceeds 1e-5.
struct FeatureStatistics {
  // Share of a feature's active samples that belong to their most frequent class, mean over features with any.
  // Two rules: x > 1e-5, and |x| > 1e-5, under which dense signed features score no more than one class's share.
  double consistency = 0;
  double consistency_abs = 0;
  // The same among the strongest 1 % of a feature's samples, however many features there are; and what as many samples
  // drawn at random would give.
  double consistency_top = 0;
  double consistency_top_chance = 0;
  double sparsity = 0;          // share of entries that are not active by |x| > 1e-5
  double correlation = 0;       // mean |cosine between two columns - identity| over features that are not dead
  double non_negative = 0;      // share of entries >= 0
  int64_t active_features = 0;  // with any entry but zero
  double effective_rank = 0;    // entropy of the singular values' shares, in nats; not exponentiated
  int64_t dead_features = 0;    // without any entry |x| > 1e-5
  int64_t zero_rows = 0;
};

// Of features [N, D]. `labels` holds N classes (-1: unknown, left out) or nothing; consistency is 0 without.
// std::invalid_argument if N or D is zero or the labels do not fit.
FeatureStatistics feature_statistics(const Matrix& features, std::span<const int64_t> labels);

}  // namespace orthant
