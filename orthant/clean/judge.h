#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/clean/clean.h"
#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/fit/logistic.h"
#include "orthant/search/neighbours.h"

namespace orthant::clean {

// Probabilities of classes by judges that have not seen the label of the item itself.
struct Judgement {
  Matrix probabilities;                    // [N, C], rows sum to 1
  std::vector<int32_t> fold;               // [N]
  std::vector<fit::LogisticModel> models;  // by fold, fitted without its items
};

// `found` are the nearest items of each, without itself. C is the largest label + 1, at least 2.
Judgement judge_labels(const Features& features, std::span<const int64_t> labels, const search::Neighbours& found,
                       const CleanOptions& options);

// What the neighbours alone say [N, C]: the share of votes, with a tenth of a vote for every class beforehand.
Matrix votes(std::span<const int64_t> labels, const search::Neighbours& found, int64_t classes, int64_t k);

}  // namespace orthant::clean
