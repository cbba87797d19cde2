#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/classify/classifier.h"
#include "orthant/classify/confusion.h"
#include "orthant/classify/contributions.h"

namespace orthant::classify {

// All that a classifier makes of items with features [N, K].
struct ReadOut {
  Classifier classifier;
  std::vector<int64_t> predicted;   // [N]
  Confusion confusion;              // of the items with labels
  std::vector<ScoreParts> carried;  // [C]: what makes the mean score of each class over its own items
};

// `labels` [N] are classes, -1: unknown; empty: all are. Threads (0: what the machine offers) change nothing.
// std::invalid_argument as Classifier::check_fits() and confusion() say.
ReadOut read_out(Classifier classifier, const Features& rows, std::span<const int64_t> labels, int threads = 0);

// The prediction for one item: the class of largest score, the next one, and what makes the first score.
struct Prediction {
  ScoreParts parts;
  int64_t runner_up = -1;  // class of the second largest score; -1: no other is ever predicted
  double runner_up_score = 0;
};
// std::invalid_argument for a row that is not there, or as Classifier::check_fits() says of it.
Prediction predict(const Classifier& classifier, const Features& rows, int64_t row);

}  // namespace orthant::classify
