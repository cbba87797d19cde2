#include "orthant/run/training_data.h"

#include "orthant/core/error.h"
#include "orthant/labels/class_weights.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

void take_labels(const Recipe& recipe, TrainingData& data) {
  const std::string& source = recipe.data.source;
  const LabelOptions& labels = recipe.labels;
  check_learnable(*data.train, source);
  check_labelled(*data.held_out, source);
  const std::vector<std::string>& classes = data.train->info().class_names;
  check(classes == data.held_out->info().class_names, "[", source, "] expected the same classes in the splits ",
        recipe.data.split, " and ", recipe.data.eval_split, ", got others");
  data.train = labelled_share(data.train, labels.fraction, labels.noise, static_cast<uint64_t>(recipe.train.seed));
  data.class_weights = class_weights(labels.class_weights, labels_of(*data.train), std::ssize(classes));
}

}  // namespace

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
  if (learns_from_labels(recipe.train.method)) take_labels(recipe, data);
  return data;
}

}  // namespace orthant
