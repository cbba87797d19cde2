#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::disentangle {

struct SapOptions {
  double c = 0.01;          // penalty of the linear classifiers
  bool continuous = false;  // score a pair by squared correlation with the factor's values instead of accuracy
  int threads = 0;
};

// Separated attribute predictability (Kumar et al., 2018): the gap between the two codes that predict a factor best.
struct SapScore {
  double sap = 0;                 // mean over factors
  std::vector<double> by_factor;  // [K] 0 for a constant factor, which the mean leaves out
  Matrix64 scores;  // [D, K] accuracy on test items of a fit::LinearSvc from code i alone to factor j; 0 for a
                    // constant factor. Continuous: squared correlation
};

// From training codes [N, D] and test codes [M, D] with their factors. A constant code always names the same class and
// scores the share of that class. With one code the runner-up has 0. A test item of a class that training does not have
// counts as wrong; no test items: accuracy 0. A continuous score is taken over the training items and is 0 if either
// variance is at most 1e-12.
// std::invalid_argument for factors that do not fit, another D, c <= 0, NaN or infinity.
SapScore sap(const Features& train, std::span<const Factor> train_factors, const Features& test,
             std::span<const Factor> test_factors, const SapOptions& options = {});

}  // namespace orthant::disentangle
