#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/classify/classifier.h"

namespace orthant::classify {

// What one feature adds to the score of a class.
struct Contribution {
  int64_t feature = 0;
  double activation = 0;  // as it enters the score: of a unit row where the classifier takes such
  double weight = 0;
  double value = 0;  // activation * weight
  double share = 0;  // |value| in the sum of all |value|
};

// Why a class has its score: the values and the bias add up to the score.
struct ScoreParts {
  int64_t class_number = 0;
  int64_t items = 0;  // that were averaged
  double score = 0;
  double bias = 0;
  std::vector<Contribution> parts =
      {};  // values that are not 0, largest size first, then lower feature; shares add up to 1
};

// The score of one class for row `row`. std::invalid_argument for a row or class that is not there, or as
// Classifier::check_fits() says of that row's width and entries.
ScoreParts item_contributions(const Classifier& classifier, const Features& rows, int64_t row, int64_t class_number);

// For each class [C] its mean score over the rows of that label, by what features add to it on average: those at the
// front carry the class. A class without rows has no parts and score 0. `labels` [N] are classes, -1: unknown.
// std::invalid_argument for labels that do not fit, and as Classifier::check_fits() says.
std::vector<ScoreParts> class_contributions(const Classifier& classifier, const Features& rows,
                                            std::span<const int64_t> labels);

}  // namespace orthant::classify
