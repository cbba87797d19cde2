#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::select {

constexpr const char* kRankingIdentifier = "ranking/1";

// What makes a feature worth keeping. Rows are scaled to unit length first, f~ = f / |f|; a zero row stays zero.
//
//   activation   the expected activation EA_j = mean_i f~_j(x_i) (section 5.5 of the paper), of the entries as `rank`
//                says: relu takes f = max(z, 0), which is then scaled; abs takes |f~|; raw takes f~ itself, whose mean
//                is about 0 and says little for signed features
//   variance     of f~_j over the rows
//   consistency  (m + 1) / (s + C): s labelled rows activate the feature (f~_j > 1e-5), m of them are of its most
//                frequent class, C classes occur. It is the class consistency m / s, drawn towards 1 / C where s is
//                small: a feature that fires once is not a perfect one. Equal ones by expected activation (relu).
//   consistency_top
//                the same of the strongest 1 % of the labelled rows of each feature: its top may be of one kind
//                although what fires weakly is not
//   importance   as it was learned with the features (importance_of() of orthant/core/importance.h); their values are
//                not looked at
//   random       a permutation that only the seed and D decide
struct RankingOptions {
  std::string by = "activation";           // activation, variance, consistency, consistency_top, importance or random
  std::string rank = "relu";               // relu, abs or raw; of activation only
  uint64_t seed = 0;                       // of random only
  std::span<const float> importance = {};  // [D], of importance only
  int threads = 0;
};

struct Ranking {
  std::vector<int64_t> order;  // [D] columns, best first; of equal ones the lower first
  std::vector<double> scores;  // [D] by column; of random: D - 1 for the first down to 0 for the last
};

// Ranks the features [N, D]. `labels` [N], -1 unknown, are read by the two rules of consistency only and may be empty
// otherwise. Choose on training rows what is tested on others. A feature that never fires ranks behind all that do,
// except under raw (negative means are lower still),
// importance and random. One pass over the rows; memory O(D) for each of at most
// 64 blocks. The result depends neither on the number of threads nor, but for rounding, on whether features are dense
// or sparse. std::invalid_argument for another name, NaN or infinite features, or labels or an
// importance that do not fit.
Ranking rank_features(const Features& features, std::span<const int64_t> labels, const RankingOptions& options = {});

// The names that RankingOptions understands.
const std::vector<std::string>& ranking_names();
const std::vector<std::string>& rank_modes();

}  // namespace orthant::select
