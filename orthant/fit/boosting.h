#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/fit/boosting_bins.h"
#include "orthant/fit/boosting_tree.h"

namespace orthant::fit {

struct BoostingOptions {
  int64_t trees = 100;         // rounds; each grows one tree per class, or one in all for two classes
  double learning_rate = 0.1;  // what a tree's values are multiplied with
  int threads = 0;
};

// Gradient boosted trees (Friedman, 2001) for K >= 2 classes with the multinomial deviance, as scikit-learn's
// GradientBoostingClassifier is by default: trees of depth 3 fitted to y - p by squared error, leaves by one Newton
// step, starting at the log of the classes' shares. Unlike there, splits lie between bins (BinnedCodes) and not between
// any two values, and of equally good splits the first is taken instead of a random one.
struct BoostedTrees {
  int64_t classes = 0;  // K
  double learning_rate = 0;
  std::vector<double> start;       // [outputs] outputs is K, or 1 for K = 2: the log odds of class 1
  std::vector<Tree> trees;         // [rounds, outputs]
  std::vector<double> importance;  // [D] share of the reduction of squared error by splits on each code; sums to 1,
                                   // or all 0 if there was nothing to split on
  std::vector<int32_t> fitted;     // [N] classes predicted for the training items
};

// Fits to N items with classes 0..K-1, each of which must occur. Neither the result nor its rounding depends on the
// number of threads. A round costs about (rows stored in codes) x K / kLanes vector additions and a few passes over
// the bins for each class; memory about 64 bytes per bin and 20 K bytes per item. std::invalid_argument for classes of
// another length, K < 2, no rounds.
BoostedTrees fit_boosting(const BinnedCodes& codes, std::span<const int32_t> classes, int64_t count,
                          const BoostingOptions& options = {});

// The class with the largest output, the first of equal ones, for M items binned by BinnedCodes::bin: [M].
std::vector<int32_t> predict(const BoostedTrees& model, std::span<const uint8_t> binned, int64_t items,
                             int threads = 0);

}  // namespace orthant::fit
