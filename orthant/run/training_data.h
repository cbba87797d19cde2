#pragma once

#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/data/positives.h"
#include "orthant/run/recipe.h"

namespace orthant {

// The data of a recipe: what is learned from and what is held out.
struct TrainingData {
  DatasetPtr train;
  DatasetPtr held_out;
  std::vector<double> class_weights = {};  // of what learns from labels; empty: every item counts alike
  PositivesPtr positives = nullptr;        // what of `train` belongs together; null: views of one item
};

// Opens both. Of a method that learns from labels `train` is the share that [labels] asks for, with its noise; what is
// held out keeps its labels. IoError or std::invalid_argument as open_dataset(), IoError for vectors that are not
// finite, and std::invalid_argument for labels that cannot be learned from: see orthant/labels.
TrainingData open_training_data(const Recipe& recipe);

}  // namespace orthant
