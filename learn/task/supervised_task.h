#pragma once

#include <cstdint>
#include <memory>

#include "learn/nn/model.h"
#include "learn/task/task.h"
#include "orthant/data/dataset.h"
#include "orthant/fit/logistic.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant {

// A linear classifier on the features of a model, by epochs over augmented pictures. Probing, the model is in
// evaluation mode and never changes; fine-tuning, its encoder learns too and its batch norm is in training mode (the
// projector is left alone).
//
// A step tells "loss" (cross-entropy before the step), "rate" and "accuracy" (on this batch, before the step).
class SupervisedTask : public Task {
 public:
  // A new classifier for `data`, whose items all have a label. `seed` decides first weights, order and views; `encoder`
  // tells this file of weights from others. Borrows the model, which must outlive it and is in the mode that its task
  // needs from here on. Sets LibTorch's number of threads. std::invalid_argument if model and data do not go together,
  // or recipe.train.solver is lbfgs.
  SupervisedTask(const SupervisedRecipe& recipe, Model& model, const DatasetPtr& data, uint64_t seed,
                 std::string encoder = {});
  ~SupervisedTask() override;

  // The classifier as it is now.
  fit::LogisticModel classifier();

  Extent extent() const override;  // a batch is train.batch images, or all of fewer
  void visit_parameters(const TensorVisitor& visit) override;
  void visit_state(const TensorVisitor& visit) override;
  std::map<std::string, std::string> identity() const override;
  void begin_epoch(int64_t epoch, int64_t batch) override;
  std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) override;
  Scalars epoch_measures(const EpochTally& tally, const EpochPace& pace) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
