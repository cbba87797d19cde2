#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"
#include "orthant/theory/simulator.h"

namespace orthant::theory {

// A positive pair: two samples drawn independently from one latent class; of two modalities, one of each.
using Pair = std::pair<int32_t, int32_t>;

// Draws from a finite distribution in constant time (Walker's alias method, as arranged by Vose).
class AliasTable {
 public:
  // Weights need not sum to 1. std::invalid_argument if one is negative or not finite, or none is positive.
  explicit AliasTable(std::span<const double> weights);

  int32_t draw(Rng& rng) const {
    const double u = rng.uniform() * static_cast<double>(keep_.size());
    const auto slot = static_cast<size_t>(u);
    return u - static_cast<double>(slot) < keep_[slot] ? static_cast<int32_t>(slot) : alias_[slot];
  }

 private:
  std::vector<double> keep_;
  std::vector<int32_t> alias_;
};

// Draws pairs from P(x, x'): c from P(c), then both samples from P(x|c); or from P_M(v, l), one sample of each
// modality. Reading from several threads is safe.
class PairSampler {
 public:
  explicit PairSampler(const LatentClasses& world);
  explicit PairSampler(const TwoModalities& worlds);

  Pair draw(Rng& rng) const;
  // `count` pairs of the stream of `seed`.
  std::vector<Pair> draw(int64_t count, uint64_t seed) const;

 private:
  PairSampler(const LatentClasses& first, const LatentClasses& second);

  AliasTable classes_;
  std::vector<AliasTable> first_;   // by class
  std::vector<AliasTable> second_;  // by class
};

// Abar [N, N] of a finite set of pairs over samples 0 .. N-1: counts in both directions, normalised by what was
// counted. Rows of samples that no pair holds are zero. std::invalid_argument if a pair holds any other sample.
struct EmpiricalCooccurrence {
  Matrix64 matrix;
  std::vector<double> marginal;  // share of each sample [N]
};
EmpiricalCooccurrence empirical_cooccurrence(std::span<const Pair> pairs, int64_t samples);

}  // namespace orthant::theory
