#include <ATen/ATen.h>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// `depth` times Linear - ReLU, on vectors that may be scaled first.
class Mlp : public Network {
 public:
  Mlp(const BackboneOptions& options, Initialiser init)
      : dims_(options.dims),
        standardise_(options.standardise),
        layers_(options.dims, options.hidden, options.depth, init) {
    if (standardise_) {
      mean_ = at::zeros({dims_});
      deviation_ = at::ones({dims_});
      buffer(kInputMean, mean_);
      buffer(kInputDeviation, deviation_);
    }
    part("layers", layers_);
  }

  at::Tensor forward(const at::Tensor& input) override {
    check(input.dim() == 2 && input.size(1) == dims_, "[mlp] expected vectors [N, ", dims_, "], got shape ",
          shape_of(input));
    return layers_.forward(standardise_ ? (input - mean_) / deviation_ : input);
  }

  int64_t features() const override { return layers_.features(); }
  std::vector<int64_t> input_shape() const override { return {dims_}; }

  double flops(int64_t) const override { return layers_.flops(); }

 private:
  int64_t dims_;
  bool standardise_;
  at::Tensor mean_;
  at::Tensor deviation_;
  ReluLayers layers_;
};

}  // namespace

std::shared_ptr<Encoder> make_mlp(const BackboneOptions& options, uint64_t seed) {
  check(options.dims > 0, "[mlp] expected the length of the vectors in backbone.dims, got ", options.dims);
  return std::make_shared<Mlp>(options, Initialiser(seed));
}

}  // namespace orthant
