#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <vector>

#include "learn/nn/model.h"
#include "learn/task/evaluation.h"
#include "learn/task/task.h"
#include "orthant/pairs/open_pairs.h"
#include "orthant/run/scalars.h"
#include "orthant/towers/pair_recipe.h"

namespace orthant {

// How well one tower's rows find those of the other that belong to them, by cosine; see orthant/pairing/ranking.h.
struct Retrieval {
  double recall_at_1 = 0;
  double recall_at_5 = 0;
  double recall_at_10 = 0;
  int64_t median_rank = 0;
};

// What two towers are worth, on held-out pairs without augmentation. Of an item with several texts tower a takes the
// first; tower b takes all of them, but for the loss the first.
struct PairEvaluation {
  std::optional<HeldOutViews> pairs = {};  // loss and cosines, in batches as in training; of two pairs or more
  Retrieval a_to_b;
  Retrieval b_to_a;
  double shared_features = 0;        // of the features active for either of a pair, the share active for both; a mean
  std::array<Evaluation, 2> towers;  // statistics of sigma+(projector) of each
  int64_t items = 0;
};

// Measures both towers in evaluation mode on recipe.eval.size pairs of `held_out`, chosen once and for all. The models
// are left as they were, but wholly in training mode or wholly not. `pause` is called every few rows.
PairEvaluation evaluate_pairs(Model& a, Model& b, const at::Tensor& log_scale, const PairRecipe& recipe,
                              const PairedData& held_out, const Pause& pause = {});

// The same by the names that metrics.jsonl has for it: those of one tower end with "_a" and "_b".
Scalars measures_of(const PairEvaluation& evaluation);

// What is wrong, in words and with advice; nothing if all is well. See warnings() of learn/task/evaluation.h.
std::vector<Warning> warnings(const PairEvaluation& evaluation, const PairRecipe& recipe);

}  // namespace orthant
