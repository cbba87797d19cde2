#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::disentangle {

constexpr double kFollows = 0.5;  // a feature follows a factor whose score is this or more

struct FollowingOptions {
  double share = 0.01;      // of the items, rounded up: the strongest of each feature; above 0, at most 1
  double threshold = 1e-5;  // only entries above it, rows scaled to unit length; not negative
  int threads = 0;          // 0: as many as the machine offers; never changes a result
};

// Which factors features follow, judged by their strongest items. A score is 1 where these agree entirely on a factor,
// and 0 in expectation for items drawn at random; the best of several factors is above 0 even then, so its chance level
// is told as well.
struct Following {
  std::vector<std::string> factors;   // that were scored, F of them
  std::vector<std::string> left_out;  // that have one value only
  Matrix64 scores;                    // [D, F]; NaN for a feature with fewer than two such items

  int64_t features = 0;            // with two such items or more: everything below is of these, and 0 if there is none
  double mean_best = 0;            // over features, of the best factor's score
  double mean_chance = 0;          // the same of as many items drawn at random, mean of 2,000 drawings (fixed seed)
  std::vector<int64_t> followers;  // [F] features that follow the factor
  int64_t following = 0;           // features that follow any factor
  int64_t several = 0;             // features that follow two factors or more
};

// By values, whatever they are: (p - chance) / (1 - chance), p the share of the commonest value of the factor among the
// strongest items and chance its expectation for as many items drawn at random (chance_purity.h).
//
// Both take codes [N, D] and what is known of the N items; factors may depend on each other. std::invalid_argument for
// no items or factors, factors that do not fit, or an option out of range.
Following follow_values(const Features& codes, std::span<const Factor> factors, const FollowingOptions& options = {});

// By regions, of factors with an order (Factor::period not 0; the others are not scored): 1 - v / V, v the unbiased
// variance of the factor among the strongest items and V among all items. On a circle it is the variance of the points
// on the unit circle, s / (s - 1) (1 - R^2) for s items with the mean resultant length R. The unbiased variance of
// items drawn at random without replacement has the expectation V, so the score has the expectation 0; it is negative
// for items farther apart than that. std::invalid_argument also for a value that is not finite.
Following follow_regions(const Features& codes, std::span<const Factor> factors, const FollowingOptions& options = {});

}  // namespace orthant::disentangle
