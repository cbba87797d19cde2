#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/factorize/solver.h"
#include "orthant/theory/activation.h"
#include "orthant/theory/pair_sampler.h"

namespace orthant::theory {

struct StochasticOptions {
  int64_t dims = 8;  // k
  Activation activation = Activation::rep_relu;
  int64_t steps = 1000;
  int64_t batch = 1024;    // pairs per step, at least 2
  double step_size = 0.1;  // of the first step; falls to 0 along half a cosine. Relative to N: a step moves theta by
                           // step_size * N * gradient, so that it does not depend on the number of samples
  uint64_t seed = 0;
  factorize::SolverProgress progress = {};
};

struct StochasticFeatures {
  Matrix64 features;           // f [N, k], after the activation
  std::vector<double> losses;  // of each step's batch: noisy estimates of the spectral loss
};

// Where positive pairs over samples 0 .. N-1 come from.
using PairSource = std::function<Pair(Rng&)>;

// (Non-negative) contrastive learning as it is done in practice, by stochastic gradient descent on sampled positive
// pairs, but with a table theta [N, k] in place of a network. A step draws `batch` pairs (x_b, x_b') and follows
//
//   -2 mean_b f(x_b).f(x_b') + mean_{b != c} (f(x_b).f(x_c'))^2,
//
// an unbiased estimate of the spectral loss whose negatives are the other pairs of the batch. theta starts in
// U[0, 2 / sqrt(k)], for the identity in a normal distribution of variance 1 / k. The same seed and source give the
// same features; one thread. Work: steps * batch * k^2, and no matrix of N x N ever.
//
// std::invalid_argument: sizes below 1, a batch below 2, a step size that is not positive and finite, a source that
// returns a sample outside 0 .. N-1; also if the features grow without bound, which a smaller step size prevents.
StochasticFeatures learn_features(const PairSource& source, int64_t samples, const StochasticOptions& options = {});

struct TwoTowerFeatures {
  Matrix64 vision;             // f [V, k]
  Matrix64 language;           // g [L, k]
  std::vector<double> losses;  // of each step's batch
};

// The same for two modalities, with a table for each: pairs (v, l) of samples 0 .. V-1 and 0 .. L-1. theta of each side
// moves by step_size times its own number of samples.
TwoTowerFeatures learn_two_towers(const PairSource& source, int64_t vision, int64_t language,
                                  const StochasticOptions& options = {});

// The source that draws with replacement from a finite set of pairs, which must outlive it and not be empty.
PairSource resample(const std::vector<Pair>& pairs);

}  // namespace orthant::theory
