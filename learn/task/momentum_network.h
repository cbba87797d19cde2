#pragma once

#include "learn/nn/model.h"
#include "learn/task/pass.h"

namespace orthant {

// A second network of the same kind that follows the first slowly and never sees a gradient. It works in training mode:
// batch norm takes the statistics of the batch. One thread at a time.
class MomentumNetwork {
 public:
  // Of the kind of `online`; its weights mean nothing until become() or a restored state.
  explicit MomentumNetwork(const Model& online);

  // Model::join().
  void join(const Group& rows, const Group& norms) { model_.join(rows, norms); }

  // Takes weights and buffers as they are.
  void become(Model& online);
  // Every weight becomes momentum * itself + (1 - momentum) * the other's. Buffers are its own.
  void follow(Model& online, double momentum);
  // z [V*B, K] of rows [V*B, ...], after sigma+; see forward_only().
  at::Tensor forward(const at::Tensor& rows, const PassOptions& options);

  // Weights and buffers under the model's names.
  void visit_state(const TensorVisitor& visit);

 private:
  Model model_;
};

}  // namespace orthant
