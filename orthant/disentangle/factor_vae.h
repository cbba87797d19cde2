#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::disentangle {

struct FactorVaeOptions {
  int64_t batch = 64;         // items that agree in the fixed factor, behind one vote
  int64_t votes = 10000;      // to learn which factor each code's votes mean
  int64_t test_votes = 5000;  // to score that on
  double prune_below = 0.05;  // codes with a smaller standard deviation over the training items do not take part
  uint64_t seed = 0;
  int threads = 0;
};

struct FactorVaeScore {
  double accuracy = 0;        // share of test votes for a code whose factor is the one that was fixed
  double train_accuracy = 0;  // the same of the votes that made the table
  int64_t active_codes = 0;   // codes that were not pruned
};

// The FactorVAE score (Kim and Mnih, 2018). For each vote a factor is chosen at random, then an item, then a batch of
// items with that item's class of the factor, with replacement (orthant/disentangle/fixed_factor.h); the vote goes to
// the code whose variance in the batch is smallest relative to its variance over all training items, the first of equal
// ones. Each code then stands for the factor it got most votes for (the first of equal ones). Training votes are taken
// from training codes [N, D], test votes from test codes [M, D].
//
// The pruning is absolute, so the score depends on the scale of the codes: unit rows of many codes may need a smaller
// `prune_below`. No active code, or no factor that varies and has two items of one class: 0.
// std::invalid_argument for factors that do not fit, another D, a batch below 2, NaN or infinity.
FactorVaeScore factor_vae(const Features& train, std::span<const Factor> train_factors, const Features& test,
                          std::span<const Factor> test_factors, const FactorVaeOptions& options = {});

}  // namespace orthant::disentangle
