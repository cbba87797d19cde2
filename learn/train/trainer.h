#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "learn/nn/model.h"
#include "orthant/data/dataset.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/position.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What one step tells.
struct StepResult {
  double loss = 0;  // before the step; NaN or infinite: the weights were left as they were
  double rate = 0;
  double blend = 1;            // share of sigma+ during its warm-up
  double positive_cosine = 0;  // mean cosine of two views of one image
  double negative_cosine = 0;  // and of different images
  double sparsity = 0;         // share of z that is zero
  int64_t zero_rows = 0;
  std::optional<double> online_accuracy = {};  // of the online classifier, where there are labels
};

// A network in training: model, optimiser, schedule, loader, online classifier. It knows nothing of files. Everything
// that decides its future is in save(), so that a trainer that was made anew and restored goes on bit for bit, given
// the same number of threads. One thread at a time; sets LibTorch's number of threads.
class Trainer {
 public:
  // A new network of recipe.train.seed on `data`. std::invalid_argument if they do not go together.
  Trainer(const Recipe& recipe, DatasetPtr data);
  ~Trainer();

  Model& model();
  const Recipe& recipe() const;
  const Position& position() const;
  const EpochTally& tally() const;
  int64_t batches() const;      // in an epoch
  int64_t total_steps() const;  // in the run
  bool finished() const;

  // Starts the loader at position().
  void begin_epoch();
  // One step on the next batch, or nothing when the epoch is over.
  std::optional<StepResult> step();
  // Moves on to the next epoch.
  void end_epoch();
  double wait_share() const;  // of this epoch, as far as it ran here

  // False if a weight is NaN or infinite.
  bool weights_are_finite();

  Checkpoint save();
  // IoError if it belongs to another network.
  void restore(const Checkpoint& checkpoint);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
