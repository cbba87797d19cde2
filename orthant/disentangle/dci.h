#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::disentangle {

struct DciOptions {
  int64_t trees = 100;         // boosting rounds per factor
  double learning_rate = 0.1;  // of the boosting
  int64_t max_bins = 255;      // into which a code's values are cut for the trees
  int threads = 0;
};

// Disentanglement and completeness of a matrix of importances R [D, K], all >= 0: Eastwood and Williams, 2018.
struct ImportanceScore {
  double disentanglement = 0;     // codes stand for one factor each: mean of by_code, weighted by their importance
  double completeness = 0;        // factors are held by one code each: mean of by_factor, weighted likewise
  std::vector<double> by_code;    // [D] 1 - entropy to the base K of the code's row
  std::vector<double> by_factor;  // [K] 1 - entropy to the base D of the factor's column
};

// 1e-11 is added to every entry before the entropies; R of zeros counts as uniform. With one factor (one code) there
// is nothing to be mixed with: by_code (by_factor) is 1. D or K of 0: all 0. std::invalid_argument for an entry that
// is negative or not finite.
ImportanceScore importance_score(const Matrix64& importance);

struct DciScore {
  double disentanglement = 0;
  double completeness = 0;
  double informativeness = 0;     // mean over factors of the accuracy on test items
  double train_accuracy = 0;      // the same on training items
  std::vector<double> by_factor;  // [K] accuracy on test items
  Matrix64 importance;            // [D, K] R: share of code i in what the boosted trees of factor j gain; 0 for a
                                  // constant factor
};

// Fits boosted trees (orthant/fit/boosting.h) from training codes [N, D] to each factor and scores them on test
// codes [M, D]. Factors that are constant in training are left out of every mean. A test item of a class that training
// does not have counts as wrong; no test items: accuracy 0. No live code: all 0 but the accuracies.
// std::invalid_argument for factors that do not fit, another D, NaN or infinity.
//
// Cost with 10,000 training items and 256 dense codes: about 0.8 s of processor time per class of a factor (90 s for
// the 113 classes of dSprites), shared by the threads; in proportion to `trees`, and about half for codes with 83 %
// zeros.
DciScore dci(const Features& train, std::span<const Factor> train_factors, const Features& test,
             std::span<const Factor> test_factors, const DciOptions& options = {});

}  // namespace orthant::disentangle
