#include "orthant/run/training_data.h"

#include "orthant/sources/open.h"

namespace orthant {

TrainingData open_training_data(const Recipe& recipe) {
  DataOptions options;
  options.split = recipe.data.split;
  options.size = recipe.data.train_size;
  options.strict = recipe.data.strict;
  options.threads = static_cast<int>(recipe.train.threads);
  TrainingData data;
  data.train = open_dataset(recipe.data.source, options);
  options.split = recipe.data.eval_split;
  options.size = 0;
  data.held_out = open_dataset(recipe.data.source, options);
  return data;
}

}  // namespace orthant
