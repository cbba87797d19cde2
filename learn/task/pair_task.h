#pragma once

#include <memory>

#include "learn/nn/model.h"
#include "learn/task/task.h"
#include "orthant/towers/pair_recipe.h"

namespace orthant {

// Contrastive pretraining of two towers: networks that learn to tell which items of two data sets belong together. A
// tower whose backbone is frozen computes its features in evaluation mode and without gradients.
//
// A step tells "loss" (before the step), "rate", "blend" (share of sigma+ during its warm-up), "temperature",
// "positive_cosine" (mean over the pairs), "negative_cosine" (over rows of different pairs), "sparsity_a" and
// "sparsity_b" (share of z that is zero), and "zero_rows" of both.
class PairTask : public Task {
 public:
  // New networks of recipe.train.seed. Sets LibTorch's number of threads. `data.held_out` is for evaluate() and may be
  // empty without. std::invalid_argument if recipe and data do not go together, towers end with different widths, or
  // backbones with different numbers of features are to share a projector.
  PairTask(const PairRecipe& recipe, PairedParts data);
  ~PairTask() override;

  Model& model(Tower tower);

  Extent extent() const override;
  void visit_parameters(const TensorVisitor& visit) override;
  void visit_state(const TensorVisitor& visit) override;
  void begin_epoch(int64_t epoch, int64_t batch) override;
  std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) override;
  void step(const Moment& moment) override;
  Scalars epoch_measures(const EpochTally& tally, const EpochPace& pace) const override;
  // See learn/task/pair_evaluation.h.
  Verdict evaluate(const Pause& pause) override;
  // The two towers' model files, each with its notes: tower, step, temperature.
  void publish(const std::string& folder) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
