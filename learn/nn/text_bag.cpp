#include <ATen/ATen.h>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/ops.h"

namespace orthant {
namespace {

// The mean of the vectors of a text's words and n-grams, normalised, through an mlp: after fastText (Bojanowski et al.
// 2017).
class TextBag : public Network {
 public:
  TextBag(const BackboneOptions& options, const TextOptions& text, Initialiser init)
      : words_(init.normal({text.buckets, text_dims(options)}, 0.05)),
        norm_(text_dims(options)),
        layers_(text_dims(options), options.hidden, options.depth, init) {
    parameter(kWordTable, words_);
    part("norm", norm_);
    part("layers", layers_);
  }

  at::Tensor forward(const at::Tensor& ids) override {
    return layers_.forward(norm_.forward(ops::bag_mean(words_, text_input(ids, "text-bag"))));
  }

  int64_t features() const override { return layers_.features(); }
  std::vector<int64_t> input_shape() const override { return {-1}; }
  double flops(int64_t) const override { return layers_.flops(); }

 private:
  at::Tensor words_;
  LayerNorm norm_;
  ReluLayers layers_;
};

}  // namespace

std::shared_ptr<Encoder> make_text_bag(const BackboneOptions& options, const TextOptions& text, uint64_t seed) {
  return std::make_shared<TextBag>(options, text, Initialiser(seed));
}

}  // namespace orthant
