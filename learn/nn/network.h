#pragma once

#include <cstdint>
#include <memory>

#include "learn/nn/encoder.h"
#include "learn/nn/module.h"

namespace orthant {

// What the encoders share: an Encoder whose tensors are registered as a Module's.
class Network : public Encoder, protected Module {
 public:
  void visit_parameters(const TensorVisitor& visit) override { Module::visit_parameters(visit); }
  void visit_buffers(const TensorVisitor& visit) override { Module::visit_buffers(visit); }
  void train(bool on) override { Module::train(on); }

 protected:
  // std::invalid_argument unless x is float32 [N, channels, H, W] with sides of at least `least`; otherwise x in
  // channels-last memory.
  static at::Tensor image_input(const at::Tensor& x, int64_t channels, int64_t least, const char* where);
};

// One function per backbone; std::invalid_argument for options that make no network.
std::shared_ptr<Encoder> make_resnet(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_conv_mini(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_vit_tiny(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_mlp(const BackboneOptions& options, uint64_t seed);

}  // namespace orthant
