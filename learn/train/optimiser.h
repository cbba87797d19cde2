#pragma once

#include <functional>
#include <memory>
#include <string>

#include "learn/nn/tensors.h"
#include "orthant/run/train_options.h"

namespace orthant {

// Follows the gradients of a model's parameters: LARS (You et al. 2017, with the exclusions and the clipping that
// contrastive learning uses), SGD with momentum, AdamW, Muon (Jordan et al. 2024). SGD and AdamW are those of PyTorch.
// Muon steps along the orthogonal matrix next to the momentum (Nesterov's) of every map between spaces, that is of
// linear layers and convolutions, and is AdamW for everything else: vectors, tables, single rows. Its steps have the
// size of AdamW's at the same rate and decay weights in the same way (Liu et al. 2025). The result does not depend on
// the number of threads, but for the last digits of Muon's. One thread at a time.
class Optimiser {
 public:
  // Takes hold of the parameters that `visit_all` visits, whose order must not change; the state starts at zero.
  // `threads`: 0 is all. Parameters for whose names `decays` is false follow their gradients without weight decay, and
  // without lars' scale; without `decays` there are none.
  using VisitAll = std::function<void(const TensorVisitor&)>;
  using Decays = std::function<bool(const std::string& name)>;
  Optimiser(const VisitAll& visit_all, const OptimiserOptions& options, int threads = 0, const Decays& decays = {});
  ~Optimiser();
  Optimiser(Optimiser&&) noexcept;

  // One step with the learning rate `rate`. Parameters without a gradient are left alone.
  void step(double rate);
  void clear_gradients();

  // What resume needs: "momentum.NAME"; where the step is adamw's "first.NAME", "second.NAME" and
  // "steps" (int64 [1]).
  void visit_state(const TensorVisitor& visit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
