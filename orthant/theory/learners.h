#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/factorize/target.h"
#include "orthant/theory/pair_sampler.h"
#include "orthant/theory/simulator.h"
#include "orthant/theory/stochastic.h"

// The ways of learning that the experiments compare, each as one call that returns factors F [N, k] of Abar. One
// thread each, so that many can run side by side.

namespace orthant::theory {

enum class Learner {
  symnmf_mu,
  symnmf_pgd,
  symnmf_cd,
  symnmf_hals,
  spectral,          // CL: the eigenvectors as they come
  spectral_rotated,  // CL: an equally good solution, turned at random
  ncl,               // stochastic, rep-ReLU
  cl,                // stochastic, no constraint
};
std::string name(Learner learner);
bool non_negative(Learner learner);

struct Learned {
  Matrix64 factors;    // F [N, k], F_x = sqrt(P(x)) f(x)
  int64_t starts = 1;  // how many were made
};

// Learns from a known matrix Abar. The non-negative problems are not convex: a start that ends in a local optimum is
// known by its loss, as the optimum is 0 (Theorem 3), and is given up for another, up to five times; the lowest loss
// counts. `tolerance` is that of SolverOptions, for up to 1,000 iterations. Not for the stochastic learners:
// std::invalid_argument.
Learned learn(Learner learner, const factorize::Target& cooccurrence, int64_t dims, uint64_t seed,
              double tolerance = 1e-8);

// The same for the stochastic learners, from pairs; `optimum` is -||Abar||^2, by which a local optimum is known.
// `steps`, at least 50, are those of StochasticOptions.
Learned learn(Learner learner, const PairSource& source, const std::vector<double>& marginal, double optimum,
              int64_t dims, uint64_t seed, int64_t steps = 1000);

// The same for two modalities: factors F [V, k] and G [L, k] of the rectangular Abar_M ~ F G^T.
enum class TowerLearner { nmf_hals, nmf_mu, ncl, cl };
std::string name(TowerLearner learner);

struct Towers {
  Matrix64 vision;
  Matrix64 language;
};

struct LearnedTowers {
  Towers factors;
  int64_t starts = 1;
};
LearnedTowers learn_towers(TowerLearner learner, const TwoModalities& worlds, int64_t dims, uint64_t seed);

}  // namespace orthant::theory
