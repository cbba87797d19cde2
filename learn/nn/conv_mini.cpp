#include <array>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// Two 3x3 convolutions around which the input passes unchanged.
class Residual : public Module {
 public:
  Residual(int64_t width, Initialiser& init)
      : conv1_(width, width, 3, 1, 1, init), norm1_(width), conv2_(width, width, 3, 1, 1, init), norm2_(width) {
    part("conv1", conv1_);
    part("bn1", norm1_);
    part("conv2", conv2_);
    part("bn2", norm2_);
  }
  at::Tensor forward(const at::Tensor& x) {
    return norm2_.forward(conv2_.forward(norm1_.forward(conv1_.forward(x), true)), true, x);
  }
  double flops(int64_t size) const { return conv1_.flops(size) + conv2_.flops(size); }

 private:
  Conv2d conv1_;
  BatchNorm norm1_;
  Conv2d conv2_;
  BatchNorm norm2_;
};

// Half the resolution, then a residual block.
class Stage : public Module {
 public:
  Stage(int64_t in, int64_t width, int64_t kernel, Initialiser& init)
      : down_(in, width, kernel, 2, (kernel - 2) / 2, init), norm_(width), block_(width, init) {
    part("down", down_);
    part("bn", norm_);
    part("block", block_);
  }
  at::Tensor forward(const at::Tensor& x) { return block_.forward(norm_.forward(down_.forward(x), true)); }
  int64_t out_size(int64_t size) const { return down_.out_size(size); }
  double flops(int64_t size) const { return down_.flops(size) + block_.flops(out_size(size)); }

 private:
  Conv2d down_;
  BatchNorm norm_;
  Residual block_;
};

class ConvMini : public Network {
 public:
  ConvMini(const BackboneOptions& options, Initialiser init)
      : channels_(options.channels),
        width_(options.width),
        stages_{std::make_unique<Stage>(channels_, width_, 4, init),
                std::make_unique<Stage>(width_, 2 * width_, 2, init),
                std::make_unique<Stage>(2 * width_, 4 * width_, 2, init)} {
    for (size_t i = 0; i < stages_.size(); ++i) part("stage" + std::to_string(i + 1), *stages_[i]);
  }

  at::Tensor forward(const at::Tensor& input) override { return global_average(grid(input)); }

  at::Tensor grid(const at::Tensor& input) override {
    at::Tensor x = image_input(input, channels_, 8, "conv-mini");
    for (const auto& stage : stages_) x = stage->forward(x);
    return x;
  }

  int64_t features() const override { return 4 * width_; }
  std::vector<int64_t> input_shape() const override { return {channels_, -1, -1}; }

  double flops(int64_t size) const override {
    double sum = 0;
    for (const auto& stage : stages_) {
      sum += stage->flops(size);
      size = stage->out_size(size);
    }
    return sum;
  }

 private:
  int64_t channels_;
  int64_t width_;
  std::array<std::unique_ptr<Stage>, 3> stages_;
};

}  // namespace

std::shared_ptr<Encoder> make_conv_mini(const BackboneOptions& options, uint64_t seed) {
  check(options.width % 8 == 0, "[conv-mini] expected a width that is a multiple of 8, got ", options.width);
  return std::make_shared<ConvMini>(options, Initialiser(seed));
}

}  // namespace orthant
