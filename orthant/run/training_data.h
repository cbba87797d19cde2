#pragma once

#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"

namespace orthant {

// The data of a recipe: what is learned from and what is held out.
struct TrainingData {
  DatasetPtr train;
  DatasetPtr held_out;
};

// IoError or std::invalid_argument as open_dataset().
TrainingData open_training_data(const Recipe& recipe);

}  // namespace orthant
