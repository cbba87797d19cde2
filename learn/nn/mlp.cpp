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
      : dims_(options.dims), hidden_(options.hidden), standardise_(options.standardise) {
    if (standardise_) {
      mean_ = at::zeros({dims_});
      deviation_ = at::ones({dims_});
      buffer(kInputMean, mean_);
      buffer(kInputDeviation, deviation_);
    }
    for (int64_t i = 0; i < options.depth; ++i) {
      layers_.push_back(std::make_unique<Linear>(i == 0 ? dims_ : hidden_, hidden_, init));
      part("layers." + std::to_string(i), *layers_.back());
    }
  }

  at::Tensor forward(const at::Tensor& input) override {
    check(input.dim() == 2 && input.size(1) == dims_, "[mlp] expected vectors [N, ", dims_, "], got shape ",
          shape_of(input));
    at::Tensor x = standardise_ ? (input - mean_) / deviation_ : input;
    for (const auto& layer : layers_) x = at::relu(layer->forward(x));
    return x;
  }

  int64_t features() const override { return hidden_; }
  std::vector<int64_t> input_shape() const override { return {dims_}; }

  double flops(int64_t) const override {
    double sum = 0;
    for (const auto& layer : layers_) sum += layer->flops();
    return sum;
  }

 private:
  int64_t dims_;
  int64_t hidden_;
  bool standardise_;
  at::Tensor mean_;
  at::Tensor deviation_;
  std::vector<std::unique_ptr<Linear>> layers_;
};

}  // namespace

std::shared_ptr<Encoder> make_mlp(const BackboneOptions& options, uint64_t seed) {
  check(options.dims > 0, "[mlp] expected the length of the vectors in backbone.dims, got ", options.dims);
  return std::make_shared<Mlp>(options, Initialiser(seed));
}

}  // namespace orthant
