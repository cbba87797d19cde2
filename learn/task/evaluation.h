#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/nn/model.h"
#include "learn/task/statistics.h"
#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"
#include "orthant/run/scalars.h"

namespace orthant {

// What a model is worth, on held-out data.
struct Evaluation {
  double loss = 0;               // of augmented views, the same ones every time
  double positive_cosine = 0;    // of two views of one image
  double negative_cosine = 0;    // of views of different images; near 1: everything looks alike
  FeatureStatistics statistics;  // of sigma+(projector), without augmentation
  int64_t features = 0;          // K
  int64_t items = 0;
  std::optional<double> knn_backbone = {};  // k-NN accuracy where there are labels, bank from the training data
  std::optional<double> knn_projector = {};
};

// Measures `model` in evaluation mode on recipe.eval.size items of `held_out`, with recipe.eval.bank items of `train`
// as the bank; both are chosen once and for all. The model is left as it was.
Evaluation evaluate(Model& model, const Recipe& recipe, const DatasetPtr& train, const DatasetPtr& held_out);

// The same by the names that metrics.jsonl has for it.
Scalars measures_of(const Evaluation& evaluation);

// What is wrong, in words and with advice; nothing if all is well.
std::vector<std::string> warnings(const Evaluation& evaluation, const Recipe& recipe);

}  // namespace orthant
