#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "learn/nn/model.h"
#include "learn/task/statistics.h"
#include "learn/task/task.h"
#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"
#include "orthant/run/scalars.h"

namespace orthant {

struct Batch;       // orthant/data/loader.h
struct Encoded;     // learn/task/encode.h
struct LossResult;  // learn/loss/loss.h

// How augmented views of held-out images, the same ones every time, lie to each other.
struct HeldOutViews {
  double loss = 0;
  double positive_cosine = 0;  // of two views of one image
  double negative_cosine = 0;  // of views of different images; near 1: everything looks alike
};

// The share of held-out items that neighbours among the training items give their class.
struct KnnMonitor {
  double backbone = 0;
  double projector = 0;
  int64_t bank = 0;  // training items that vote
  int64_t k = 0;
};

// What a model is worth, on held-out data.
struct Evaluation {
  // Of two items or more; not of cross entropy, which compares none, nor of nodes, of which edges belong together.
  std::optional<HeldOutViews> views = {};
  FeatureStatistics statistics;  // of sigma+(projector), without augmentation
  int64_t features = 0;          // K
  int64_t items = 0;
  std::optional<KnnMonitor> knn = {};          // where there are two classes and a bank of k items
  std::vector<std::string> not_measured = {};  // what is missing above for want of items, and why
};

// The loss of the views of a batch, z [V*B, K].
using ViewLoss = std::function<LossResult(const at::Tensor& z, const Batch& batch)>;

// Has the gate before sigma+ hold its share of zeros on items of `train` as they are (2,000 at most, chosen once and
// for all), unless it does already; see Gate::settle(). Else the model is left as it was. Before a model is measured or
// written. `pause` as in evaluate().
void settle(Model& model, const Recipe& recipe, const DatasetPtr& train, const Pause& pause = {});

// Measures `model` in evaluation mode on recipe.eval.size items of `held_out`, with recipe.eval.bank items of `train`
// as the bank (of a graph, which is learned from as a whole, of the nodes that are not held out); both are chosen once
// and for all. The model is left as it was. `pause` is called every few rows; `look` sees what the model makes of the
// held-out items, without augmentation, once they are encoded. The held-out loss is `loss`, or without one that of the
// recipe, which then has to be a function of z alone.
Evaluation evaluate(Model& model, const Recipe& recipe, const DatasetPtr& train, const DatasetPtr& held_out,
                    const Pause& pause = {}, const std::function<void(const Encoded& items)>& look = {},
                    const ViewLoss& loss = {});

// The same by the names that metrics.jsonl has for it.
Scalars measures_of(const Evaluation& evaluation);

// What is wrong, in words and with advice that the recipe does not follow yet, and what was not measured; nothing if
// all is well.
std::vector<Warning> warnings(const Evaluation& evaluation, const Recipe& recipe);

}  // namespace orthant
