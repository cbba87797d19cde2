#include "learn/nn/layers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "learn/nn/ops.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr double kEps = 1e-5;
constexpr double kMomentum = 0.1;

}  // namespace

Conv2d::Conv2d(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, Initialiser& init)
    : kernel_(kernel),
      stride_(stride),
      padding_(padding),
      weight_(init.normal({out, in, kernel, kernel}, std::sqrt(2.0 / static_cast<double>(kernel * kernel * out)))) {
  parameter("weight", weight_);
}

at::Tensor Conv2d::forward(const at::Tensor& x) const { return ops::conv2d(x, weight_, stride_, padding_); }

double Conv2d::flops(int64_t size) const {
  const auto side = static_cast<double>(out_size(size));
  return 2 * side * side * static_cast<double>(weight_.numel());
}

BatchNorm::BatchNorm(int64_t channels)
    : weight_(Initialiser::constant({channels}, 1)),
      bias_(Initialiser::constant({channels}, 0)),
      running_mean_(at::zeros({channels})),
      running_var_(at::ones({channels})),
      num_batches_tracked_(at::zeros({}, at::kLong)) {
  parameter("weight", weight_);
  parameter("bias", bias_);
  buffer("running_mean", running_mean_);
  buffer("running_var", running_var_);
  buffer("num_batches_tracked", num_batches_tracked_);
}

at::Tensor BatchNorm::forward(const at::Tensor& x, bool relu, const at::Tensor& residual) {
  if (!training()) return ops::batch_norm_eval(x, weight_, bias_, running_mean_, running_var_, residual, relu, kEps);
  check(x.numel() > x.size(1) || !norms_group().alone(),
        "[BatchNorm] expected more than one value per channel when training, got ", x.size(0), " item");
  const auto result = ops::batch_norm_train(x, weight_, bias_, residual, relu, kEps, norms_group());
  const auto rows = static_cast<double>(result.rows);
  running_mean_.mul_(1 - kMomentum).add_(result.mean, kMomentum);
  running_var_.mul_(1 - kMomentum).add_(result.variance, kMomentum * rows / (rows - 1));
  num_batches_tracked_.add_(1);
  return result.y;
}

Linear::Linear(int64_t in, int64_t out, Initialiser& init, Start start) {
  const double bound = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(in, 1)));
  weight_ = start == Start::torch ? init.uniform({out, in}, bound) : init.truncated_normal({out, in}, 0.02);
  bias_ = start == Start::torch ? init.uniform({out}, bound) : Initialiser::constant({out}, 0);
  parameter("weight", weight_);
  parameter("bias", bias_);
}

at::Tensor Linear::forward(const at::Tensor& x) const { return ops::linear(x, weight_, bias_); }

double Linear::flops() const { return 2 * static_cast<double>(weight_.numel()); }

ReluLayers::ReluLayers(int64_t in, int64_t hidden, int64_t depth, Initialiser& init) : hidden_(hidden) {
  for (int64_t i = 0; i < depth; ++i) {
    layers_.push_back(std::make_unique<Linear>(i == 0 ? in : hidden, hidden, init));
    part(std::to_string(i), *layers_.back());
  }
}

at::Tensor ReluLayers::forward(at::Tensor x) const {
  for (const auto& layer : layers_) x = at::relu(layer->forward(x));
  return x;
}

double ReluLayers::flops() const {
  double sum = 0;
  for (const auto& layer : layers_) sum += layer->flops();
  return sum;
}

LayerNorm::LayerNorm(int64_t dims)
    : weight_(Initialiser::constant({dims}, 1)), bias_(Initialiser::constant({dims}, 0)) {
  parameter("weight", weight_);
  parameter("bias", bias_);
}

at::Tensor LayerNorm::forward(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight_, bias_, 1e-6);
}

at::Tensor global_average(const at::Tensor& x) { return x.mean(at::IntArrayRef{2, 3}); }

}  // namespace orthant
