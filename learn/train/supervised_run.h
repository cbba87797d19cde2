#pragma once

#include <functional>
#include <optional>
#include <string>

#include "learn/task/probe.h"
#include "learn/train/loop.h"
#include "orthant/run/run_folder.h"
#include "orthant/run/supervised_recipe.h"
#include "orthant/run/supervised_result.h"

namespace orthant {

// What leaves a run while it works; each may be empty.
struct SupervisedListener {
  // Asked after every step, epoch and repetition. True: the run saves a checkpoint and ends.
  std::function<bool()> stop;
  // After every step of the repetition with this seed.
  std::function<void(int64_t seed, const Trainer& trainer, const Scalars& measures)> step;
  // After every epoch.
  std::function<void(int64_t seed, const MetricsLine& line)> epoch;
  // While items pass through an encoder: `done` of `total` of what is called `what`. What it throws ends the run.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress;
  // While lbfgs works for the repetition with this seed. What it throws ends the run.
  std::function<void(int64_t seed, const fit::FitProgress& at)> fit;
  // Warnings, each a line of words.
  std::function<void(const std::string& text)> warn;
};

// Opens data and model, and throws what is wrong with them before anything is written: std::invalid_argument if they do
// not go together, see also open_supervised_data(); IoError if there is no model.
void check_supervised(const SupervisedRecipe& recipe);

// Learns the classifiers of all seeds that are not there yet, going on from their checkpoints, then tests them, and
// writes result.json. Nothing if it was told to stop. Whatever ended it before, the result is the same, given the same
// number of threads. In the folder, or in its seed-N if there are several seeds:
//
//   classifier.safetensors   of a probe: "fc.weight", "fc.bias"
//   model.safetensors        of a fine-tuning: the model with the same two
//   metrics.jsonl, events.out.tfevents.*, checkpoint/     of every solver but lbfgs
//
// IoError if a file cannot be written, or the encoder is not the one that the run began with. Diverged as train().
std::optional<SupervisedResult> run_supervised(const SupervisedRecipe& recipe, const RunFolder& folder,
                                               const SupervisedListener& listener = {});

}  // namespace orthant
