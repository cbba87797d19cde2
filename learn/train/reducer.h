#pragma once

#include <memory>

#include "learn/group/group.h"
#include "learn/nn/tensors.h"

namespace orthant {

// Sums the gradients of parameters over the ranks of a group while the backward pass goes on: in buckets, which leave
// as soon as their last gradient is there, in a fixed order, the last parameters first. In a group of one it does
// nothing. One thread at a time.
class Reducer {
 public:
  // Takes hold of the parameters that `visit_all` visits. Ranks must have the same, in the same order.
  using VisitAll = std::function<void(const TensorVisitor&)>;
  Reducer(const VisitAll& visit_all, const Group& group);
  ~Reducer();
  Reducer(Reducer&&) noexcept;

  // Before the backward pass. `early`: every parameter gets its gradient at once, so that buckets can leave before the
  // end of the pass.
  void begin(bool early);
  // After it: gradients are the sums over all ranks, the same bits on each. A parameter without a gradient, which then
  // has none on any rank, is left alone.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
