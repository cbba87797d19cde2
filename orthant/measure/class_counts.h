#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/measure/classes.h"

namespace orthant::measure {

// What counts as active, on rows scaled to unit length.
struct ActivationRules {
  double weak = 1e-5;   // of the rules `active` and `positive`; not negative
  double strong = 0.1;  // of the rule `strong`; not negative
};

// How many samples of each class activate each feature: [C, D] for each of three rules.
struct ClassCounts {
  std::vector<int32_t> active;    // |x| > weak
  std::vector<int32_t> positive;  // x > weak
  std::vector<int32_t> strong;    // x > strong
};

// Euclidean length of each row [N], over the columns where `kept` [D] is true, or all of them if it is empty.
std::vector<double> row_lengths(const Features& features, const std::vector<bool>& kept, int threads);

// Counts rows of a known class, divided by `lengths` [N] first; a row of length 0 activates nothing. Memory: three
// tables [C, D] for each thread. Counts are exact, whatever the number of threads.
// std::invalid_argument for 2^31 rows or more.
ClassCounts class_counts(const Features& features, const Classes& classes, std::span<const double> lengths,
                         const ActivationRules& rules, int threads);

}  // namespace orthant::measure
