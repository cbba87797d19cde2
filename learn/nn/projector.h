#pragma once

#include <cstdint>
#include <memory>

#include "learn/nn/tensors.h"
#include "orthant/run/activation_options.h"
#include "orthant/run/projector_options.h"

namespace orthant {

class Group;

// Linear layers with biases, initialised as torch's Linear. The tensors are named as in a torch Sequential of the
// layers listed above: "0.weight", "0.bias", "2.weight", ... With a gate behind the last (learn/nn/gate.h), its buffers
// are "gate.mean", ... Same rules as Encoder otherwise.
class Projector {
 public:
  // A gate if `activation` asks for one. std::invalid_argument if there is no layer before it.
  Projector(int64_t features, const ProjectorOptions& options, uint64_t seed, const ActivationOptions& activation = {});
  ~Projector();

  // [N, features] to [N, out()].
  at::Tensor forward(const at::Tensor& features);
  void visit_parameters(const TensorVisitor& visit);
  void visit_buffers(const TensorVisitor& visit);
  void train(bool on);
  void join(const Group& rows, const Group& norms);
  int64_t out() const;
  double flops() const;

  // In evaluation mode: has the gate hold its share of zeros on what has these backbone features [N, features]; see
  // Gate::settle(). Nothing without a gate, which counts as settled.
  void settle(const at::Tensor& features);
  bool is_settled() const;

  // What the gate took from each feature in the last forward() [out()]; undefined without one.
  at::Tensor taken() const;

  // Every parameter and buffer of a projector without a gate that gives the same as this one does in evaluation mode.
  // With `scales` [out()], each feature times its own, and with `order` (int64 [out()]) in this order.
  void visit_folded(const TensorVisitor& visit, const at::Tensor& scales, const at::Tensor& order);

 private:
  at::Tensor before_gate(const at::Tensor& features);

  struct Layers;
  std::unique_ptr<Layers> layers_;
};

}  // namespace orthant
