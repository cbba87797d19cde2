#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::theory {

enum class Prior {
  uniform,    // P(c) = 1 / m
  geometric,  // P(c) proportional to 0.8^c
  random,     // P(c) proportional to U[0.5, 1.5], then normalised
};

// A world that obeys Assumption 1 of the paper: latent classes c generate both views of a pair independently.
//
// Every sample has a home class; the homes are shared out by the prior, at least one sample each. A sample gives the
// share 1 - overlap of its membership to its home and spreads `overlap` over all other classes, each getting a
// part of U[0.5, 1.5] before normalisation: without anchors every class has weight in every sample. With anchors one
// sample in ten of each class (at least one) belongs to its home alone. The memberships are then scaled so that P(c)
// is the prior exactly; P(c|x) therefore follows the shares above closely, but not to the last digit.
struct LatentClassOptions {
  int64_t classes = 8;    // m, at least 1
  int64_t samples = 400;  // N, at least m
  double overlap = 0.1;   // 0 (every sample belongs to exactly one class) to 0.95
  Prior prior = Prior::uniform;
  bool anchors = true;
  uint64_t seed = 0;
};

// The distributions of such a world, exact in float64. Samples are ordered by home class.
struct LatentClasses {
  std::vector<double> prior;     // P(c) [m], sums to 1
  Matrix64 given_class;          // P(x|c) [N, m], columns sum to 1
  Matrix64 posterior;            // P(c|x) [N, m], rows sum to 1
  std::vector<double> marginal;  // P(x) [N], all positive, sums to 1
  std::vector<int64_t> home;     // home class of each sample [N]

  int64_t classes() const { return given_class.cols(); }
  int64_t samples() const { return given_class.rows(); }

  // P(x, x') = sum_c P(c) P(x|c) P(x'|c) [N, N].
  Matrix64 joint() const;
  // Abar = P(x, x') / sqrt(P(x) P(x')) [N, N], exactly symmetric.
  Matrix64 cooccurrence() const;
  // The same with only its non-zeros stored: blocks if the overlap is 0. Never forms the dense matrix.
  SparseMatrix64 sparse_cooccurrence() const;
  // Theorem 3's optimum phi(x)_c = P(c|x) / sqrt(P(c)) [N, m].
  Matrix64 optimal_features() const;
};

// std::invalid_argument for sizes or an overlap outside the ranges above. Equal options give equal worlds.
LatentClasses simulate(const LatentClassOptions& options);

// Two kinds of sample, such as pictures and captions, that share the latent classes: given c the two sides of a pair
// are drawn independently, each from its own side.
struct TwoModalities {
  LatentClasses vision;
  LatentClasses language;  // the same prior as vision

  // P_M(v, l) = sum_c P(c) P(v|c) P(l|c) [V, L].
  Matrix64 joint() const;
  // P_M(v, l) / sqrt(P_V(v) P_L(l)) [V, L]; the optimum of each side is that side's optimal_features().
  Matrix64 cooccurrence() const;
};

// `options` describes the vision side; the language side has `language_samples` samples and is drawn independently
// from the same seed.
TwoModalities simulate_two_modalities(const LatentClassOptions& options, int64_t language_samples);

// F_x = sqrt(P(x)) f(x) and back: the scaling that turns features [N, k] into factors of Abar. from_factors gives 0
// where P(x) is 0.
Matrix64 to_factors(const Matrix64& features, const std::vector<double>& marginal);
Matrix64 from_factors(const Matrix64& factors, const std::vector<double>& marginal);

}  // namespace orthant::theory
