#include <ATen/ATen.h>

#include <array>
#include <optional>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/ops.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// A convolution and its batch norm, under torchvision's two names.
struct ConvNorm {
  Conv2d conv;
  BatchNorm norm;

  ConvNorm(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, Initialiser& init)
      : conv(in, out, kernel, stride, padding, init), norm(out) {}
  at::Tensor forward(const at::Tensor& x, bool relu, const at::Tensor& residual = {}) {
    return norm.forward(conv.forward(x), relu, residual);
  }
};

// The shortcut of a block whose input and output differ in shape.
class Downsample : public Module {
 public:
  Downsample(int64_t in, int64_t out, int64_t stride, Initialiser& init) : layer_(in, out, 1, stride, 0, init) {
    part("0", layer_.conv);
    part("1", layer_.norm);
  }
  at::Tensor forward(const at::Tensor& x) { return layer_.forward(x, false); }
  double flops(int64_t size) const { return layer_.conv.flops(size); }

 private:
  ConvNorm layer_;
};

// A residual block: 3x3 - 3x3, or as a bottleneck 1x1 - 3x3 - 1x1 with four times the channels at the end. The stride
// is the 3x3's (the first one's), as in torchvision.
class Block : public Module {
 public:
  Block(int64_t in, int64_t width, int64_t stride, bool bottleneck, Initialiser& init)
      : conv1_(bottleneck ? ConvNorm(in, width, 1, 1, 0, init) : ConvNorm(in, width, 3, stride, 1, init)),
        conv2_(width, width, 3, bottleneck ? stride : 1, 1, init),
        out_(bottleneck ? 4 * width : width) {
    part("conv1", conv1_.conv);
    part("bn1", conv1_.norm);
    part("conv2", conv2_.conv);
    part("bn2", conv2_.norm);
    if (bottleneck) {
      conv3_.emplace(width, out_, 1, 1, 0, init);
      part("conv3", conv3_->conv);
      part("bn3", conv3_->norm);
    }
    if (stride != 1 || in != out_) {
      downsample_.emplace(in, out_, stride, init);
      part("downsample", *downsample_);
    }
  }

  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor shortcut = downsample_ ? downsample_->forward(x) : x;
    const at::Tensor y = conv1_.forward(x, true);
    if (!conv3_) return conv2_.forward(y, true, shortcut);
    return conv3_->forward(conv2_.forward(y, true), true, shortcut);
  }

  int64_t out() const { return out_; }
  int64_t out_size(int64_t size) const { return conv2_.conv.out_size(conv1_.conv.out_size(size)); }
  double flops(int64_t size) const {
    double sum = conv1_.conv.flops(size) + conv2_.conv.flops(conv1_.conv.out_size(size));
    if (conv3_) sum += conv3_->conv.flops(out_size(size));
    return downsample_ ? sum + downsample_->flops(size) : sum;
  }

 private:
  ConvNorm conv1_;
  ConvNorm conv2_;
  std::optional<ConvNorm> conv3_;
  std::optional<Downsample> downsample_;
  int64_t out_;
};

class Layer : public Module {
 public:
  Layer(int64_t in, int64_t width, int64_t count, int64_t stride, bool bottleneck, Initialiser& init) {
    for (int64_t i = 0; i < count; ++i) {
      blocks_.push_back(std::make_unique<Block>(in, width, i == 0 ? stride : 1, bottleneck, init));
      part(std::to_string(i), *blocks_.back());
      in = blocks_.back()->out();
    }
  }
  std::vector<std::unique_ptr<Block>>& blocks() { return blocks_; }
  const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }

 private:
  std::vector<std::unique_ptr<Block>> blocks_;
};

class ResNet : public Network {
 public:
  ResNet(const BackboneOptions& options, const std::array<int64_t, 4>& counts, bool bottleneck, Initialiser init)
      : channels_(options.channels),
        small_(options.stem == "small"),
        stem_(small_ ? ConvNorm(channels_, 64, 3, 1, options.stem_padding, init)
                     : ConvNorm(channels_, 64, 7, 2, 3, init)) {
    part("conv1", stem_.conv);
    part("bn1", stem_.norm);
    int64_t in = 64;
    for (size_t i = 0; i < counts.size(); ++i) {
      layers_.push_back(std::make_unique<Layer>(in, int64_t{64} << i, counts[i], i == 0 ? 1 : 2, bottleneck, init));
      part("layer" + std::to_string(i + 1), *layers_.back());
      in = layers_.back()->blocks().back()->out();
    }
  }

  at::Tensor forward(const at::Tensor& input) override { return global_average(grid(input)); }

  at::Tensor grid(const at::Tensor& input) override {
    at::Tensor x = stem_.forward(image_input(input, channels_, 3, "ResNet"), true);
    if (!small_) x = ops::max_pool2d(x, 3, 2, 1);
    for (const auto& layer : layers_) {
      for (const auto& block : layer->blocks()) x = block->forward(x);
    }
    return x;
  }

  int64_t features() const override { return layers_.back()->blocks().back()->out(); }
  std::vector<int64_t> input_shape() const override { return {channels_, -1, -1}; }

  double flops(int64_t size) const override {
    double sum = stem_.conv.flops(size);
    size = stem_.conv.out_size(size);
    if (!small_) size = (size - 1) / 2 + 1;
    for (const auto& layer : layers_) {
      for (const auto& block : layer->blocks()) {
        sum += block->flops(size);
        size = block->out_size(size);
      }
    }
    return sum;
  }

 private:
  int64_t channels_;
  bool small_;
  ConvNorm stem_;
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace

std::shared_ptr<Encoder> make_resnet(const BackboneOptions& options, uint64_t seed) {
  const bool deep = options.name != "resnet18";
  const std::array<int64_t, 4> counts = deep ? std::array<int64_t, 4>{3, 4, 6, 3} : std::array<int64_t, 4>{2, 2, 2, 2};
  return std::make_shared<ResNet>(options, counts, options.name == "resnet50", Initialiser(seed));
}

}  // namespace orthant
