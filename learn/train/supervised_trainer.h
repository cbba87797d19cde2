#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "learn/nn/model.h"
#include "orthant/data/dataset.h"
#include "orthant/fit/logistic.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/position.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant {

// What one step tells.
struct SupervisedStep {
  double loss = 0;  // cross-entropy before the step; NaN or infinite: the weights were left as they were
  double rate = 0;
  double accuracy = 0;  // on this batch, before the step
};

// A linear classifier in training on the features of a model, by epochs over augmented pictures. Probing, the model is
// in evaluation mode and never changes; fine-tuning, its encoder learns too and its batch norm is in training mode (the
// projector is left alone). Knows nothing of files. Everything that decides its future is in save(), as with Trainer.
// One thread at a time; sets LibTorch's number of threads.
class SupervisedTrainer {
 public:
  // A new classifier for `data`, whose items all have a label. `seed` decides first weights, order and views. Borrows
  // the model, which must outlive it and is in the mode that its task needs from here on. std::invalid_argument if
  // model and data do not go together, or recipe.train.solver is lbfgs.
  SupervisedTrainer(const SupervisedRecipe& recipe, Model& model, DatasetPtr data, uint64_t seed);
  ~SupervisedTrainer();

  const Position& position() const;
  const EpochTally& tally() const;  // zero_rows is not used
  int64_t batch() const;            // images in a batch: train.batch, or all of fewer
  int64_t batches() const;          // in an epoch
  int64_t total_steps() const;
  bool finished() const;

  // See Trainer.
  void begin_epoch();
  std::optional<SupervisedStep> step();
  void end_epoch();
  bool weights_are_finite();
  Checkpoint save();
  void restore(const Checkpoint& checkpoint);

  // The classifier as it is now.
  fit::LogisticModel classifier();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
