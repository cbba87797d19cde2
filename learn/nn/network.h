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
  void join(const Group& rows, const Group& norms) override { Module::join(rows, norms); }

 protected:
  // std::invalid_argument unless x is float32 [N, channels, H, W] with sides of at least `least`; otherwise x in
  // channels-last memory.
  static at::Tensor image_input(const at::Tensor& x, int64_t channels, int64_t least, const char* where);
  // std::invalid_argument unless the ids are int32 [N, L]; otherwise they, contiguous.
  static at::Tensor text_input(const at::Tensor& ids, const char* where);
};

// Length of the vectors of words: options.dims, or 128 where it is not given.
int64_t text_dims(const BackboneOptions& options);

// One function per backbone; std::invalid_argument for options that make no network.
std::shared_ptr<Encoder> make_resnet(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_conv_mini(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_vit_tiny(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_mlp(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_table(const BackboneOptions& options, uint64_t seed);
std::shared_ptr<Encoder> make_text_bag(const BackboneOptions& options, const TextOptions& text, uint64_t seed);
std::shared_ptr<Encoder> make_text_transformer(const BackboneOptions& options, const TextOptions& text, uint64_t seed);

}  // namespace orthant
