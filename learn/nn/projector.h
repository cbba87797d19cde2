#pragma once

#include <cstdint>
#include <memory>

#include "learn/nn/tensors.h"
#include "orthant/run/projector_options.h"

namespace orthant {

// Linear layers with biases, initialised as torch's Linear. The tensors are named as in a torch Sequential of the
// layers listed above: "0.weight", "0.bias", "2.weight", ... Same rules as Encoder otherwise.
class Projector {
 public:
  Projector(int64_t features, const ProjectorOptions& options, uint64_t seed);
  ~Projector();

  // [N, features] to [N, out()].
  at::Tensor forward(const at::Tensor& features);
  void visit_parameters(const TensorVisitor& visit);
  void visit_buffers(const TensorVisitor& visit);
  void train(bool on);
  int64_t out() const;
  double flops() const;

 private:
  struct Layers;
  std::unique_ptr<Layers> layers_;
};

}  // namespace orthant
