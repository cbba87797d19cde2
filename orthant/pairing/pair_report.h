#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/features.h"
#include "orthant/measure/report.h"

namespace orthant::pairing {

// Two sets of features that belong together, borrowed: items and, for each, one or more rows of another kind, such as
// pictures and their captions.
struct PairInput {
  std::string name;                      // for messages and the report
  Features a;                            // [N, K]
  Features b;                            // [M, K]
  std::span<const int64_t> owner;        // [M]: the item that each row of b belongs to
  std::span<const int64_t> labels = {};  // [N] classes of the items, -1: unknown; may be empty
};

struct PairOptions {
  double threshold = 1e-5;  // |x| above it is active; above 0
  double strong = 0.1;      // x above it, in a row of unit length, is strongly active
  uint64_t seed = 0;        // of the wrong pairs that chance is taken from
  int threads = 0;          // 0: what the machine offers
};

// Every measure of pairs that docs/measures.md has: recall and median rank both ways, the modality gap, features
// shared, class consistency of each side; what chance would give stands under the same key after "chance.". The rows of
// the report are items. std::invalid_argument, naming the input, for sides that are empty, not finite or do not fit.
measure::MeasureReport pair_report(const PairInput& input, const PairOptions& options = {});

}  // namespace orthant::pairing
