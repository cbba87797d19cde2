#pragma once

#include <memory>

#include "learn/task/model_task.h"

namespace orthant {

// Contrastive pretraining: a new network that learns to tell two views of one picture from views of others. A linear
// classifier watches where there are labels.
//
// A step tells "loss" (before the step), "rate", "blend" (share of sigma+ during its warm-up), "positive_cosine" (mean
// of two views of one image), "negative_cosine" (of different images), "sparsity" (share of z that is zero),
// "zero_rows", with a learned importance "important_features" (how many count: Importance::effective()) and
// "decorrelation", and "online_accuracy" of the classifier that watches.
//
// In a group the network of every rank is the same at all times, and what is told is of the whole batch.
class ContrastiveTask : public ModelTask {
 public:
  // A new network of recipe.train.seed, which the ranks of `group` train together. Sets LibTorch's number of threads.
  // `data.held_out` is for evaluate() and may be empty without. std::invalid_argument if recipe and data do not go
  // together.
  ContrastiveTask(const Recipe& recipe, TrainingData data, const Group& group = {});
  ~ContrastiveTask() override;

  Model& model() override;

  Extent extent() const override;
  Group group() const override;
  void visit_parameters(const TensorVisitor& visit) override;
  void visit_state(const TensorVisitor& visit) override;
  bool decays(const std::string& name) const override;
  void begin_epoch(int64_t epoch, int64_t batch) override;
  std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) override;
  void step(const Moment& moment) override;
  Scalars epoch_measures(const EpochTally& tally, const EpochPace& pace) const override;
  // See learn/task/evaluation.h.
  Verdict evaluate(const Pause& pause) override;
  // model.safetensors
  void publish(const std::string& folder) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
