#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::disentangle {

struct BetaVaeOptions {
  int64_t batch = 64;          // pairs that agree in the fixed factor, behind one point
  int64_t points = 10000;      // to fit the classifier on
  int64_t test_points = 5000;  // to score it on
  uint64_t seed = 0;
  int threads = 0;
};

struct BetaVaeScore {
  double accuracy = 0;        // on test points
  double train_accuracy = 0;  // on the points it was fitted to
};

// The beta-VAE score (Higgins et al., 2017). For each point a factor is chosen at random, then pairs of items that
// agree in it (an item, and one of its class, with replacement; orthant/disentangle/fixed_factor.h); the point is the
// mean of |z - z'| over the pairs, and a logistic regression with scikit-learn's default penalty (C = 1) tells from it
// which factor was fixed. Training points are taken from training codes [N, D], test points from test codes [M, D].
//
// The score depends somewhat on the scale of the codes, through the penalty. No code that varies, or no factor that
// varies and has two items of one class: 0. Memory: 4 D bytes per point.
// std::invalid_argument for factors that do not fit, another D, a batch below 1, NaN or infinity.
BetaVaeScore beta_vae(const Features& train, std::span<const Factor> train_factors, const Features& test,
                      std::span<const Factor> test_factors, const BetaVaeOptions& options = {});

}  // namespace orthant::disentangle
