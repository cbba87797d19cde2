#pragma once

#include <memory>

#include "learn/task/model_task.h"

namespace orthant {

// Learning from labels: a new network and a linear classifier on what is behind its projector, z = sigma+(projector(
// backbone)). The methods of TrainOptions:
//
//   ce, nce          network and classifier follow the cross entropy of the classifier's scores
//   (learn/task/class_head.h);
//                    nce is the same with a sigma+ on z, never on the scores.
//   supcon, nsupcon  the network follows the supervised contrastive loss of z (learn/loss/supcon.h). The classifier
//   learns
//                    beside it, by the same optimiser, from z cut off from the network, which never knows of it: it
//                    watches, and is what accuracy is told by.
//
// A step tells "loss" (before the step), "rate", "blend" (share of sigma+ during its warm-up), "accuracy" (of the
// classifier on this batch, against the labels it learns from), "sparsity" (share of z that is zero) and "zero_rows".
class LabelledTask : public ModelTask {
 public:
  // A new network and classifier of recipe.train.seed. Sets LibTorch's number of threads. Every item of `data` has a
  // label; `data.held_out` is for evaluate() and may be empty without. std::invalid_argument if recipe and data do not
  // go together.
  LabelledTask(const Recipe& recipe, TrainingData data, const Group& group = {});
  ~LabelledTask() override;

  Model& model() override;

  Extent extent() const override;
  Group group() const override;
  void visit_parameters(const TensorVisitor& visit) override;
  void visit_state(const TensorVisitor& visit) override;
  void begin_epoch(int64_t epoch, int64_t batch) override;
  std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) override;
  Scalars epoch_measures(const EpochTally& tally, const EpochPace& pace) const override;
  // "test_accuracy", "test_loss" (cross entropy without weights or smoothing) and "test_items" of the classifier on
  // held-out items, whose labels are the true ones; then what learn/task/evaluation.h measures.
  Verdict evaluate(const Pause& pause) override;
  // model.safetensors, with the classifier as "fc.weight" [C, K] and "fc.bias" [C].
  void publish(const std::string& folder) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
