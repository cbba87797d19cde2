#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/fields.h"

namespace orthant::measure {

struct StabilityOptions {
  std::string similarity = "cosine";  // of two columns: cosine, or correlation (Pearson: the cosine of centred columns)
  bool absolute = true;               // a feature and its negative are the same
  int threads = 0;                    // 0: what the machine offers; results do not depend on it
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, StabilityOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"similarity", "Similarity of two features", {.choices = {"cosine", "correlation"}}}, options.similarity);
  visit(Field{"absolute", "Take a feature and its negative for the same"}, options.absolute);
}

struct Stability {
  std::vector<int64_t> partner;    // [D1]: the feature of `second` for each of `first`; -1: none
  std::vector<double> similarity;  // [D1]: of the two; 0 where there is no partner
  int64_t live_first = 0;          // features that are not zero (correlation: not constant) over all items
  int64_t live_second = 0;
  double mean = 0;  // sum of `similarity` / max(live_first, live_second): what only one model has counts as 0
  double mean_best_first = 0;   // mean over live features of `first` of the most similar one of `second`, shared or not
  double mean_best_second = 0;  // the same the other way round
};

// Whether two models found the same features (docs/measures.md: stability/1): the one-to-one matching
// of the live columns of `first` [N, D1] and `second` [N, D2], features of the same N items, with the largest sum of
// similarities. A matched pair may still have a small or, if signed, a negative similarity. All means are 0 where a
// model has no live feature.
//
// Time: N D1 D2 for the similarities and min^2 max of the two numbers of live features for the matching. Memory: two
// matrices [D1, D2] of doubles; features are read in blocks of rows.
// std::invalid_argument for different numbers of rows, NaN or infinite entries, or an unknown similarity.
Stability stability(const Features& first, const Features& second, const StabilityOptions& options = {});

}  // namespace orthant::measure
