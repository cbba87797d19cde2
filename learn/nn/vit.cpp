#include <ATen/ATen.h>

#include <cmath>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kDims = 192;
constexpr int64_t kLayers = 12;
constexpr int64_t kHeads = 3;
constexpr auto kStart = Linear::Start::transformer;

class Attention : public Module {
 public:
  explicit Attention(Initialiser& init) : qkv_(kDims, 3 * kDims, init, kStart), proj_(kDims, kDims, init, kStart) {
    part("qkv", qkv_);
    part("proj", proj_);
  }
  at::Tensor forward(const at::Tensor& x) const {  // [N, T, kDims]
    const int64_t n = x.size(0);
    const int64_t t = x.size(1);
    const int64_t head = kDims / kHeads;
    const auto parts = qkv_.forward(x).view({n, t, 3, kHeads, head}).permute({2, 0, 3, 1, 4}).unbind(0);
    const double scale = 1 / std::sqrt(static_cast<double>(head));
    const at::Tensor weights = at::softmax(at::matmul(parts[0] * scale, parts[1].transpose(-2, -1)), -1);
    return proj_.forward(at::matmul(weights, parts[2]).transpose(1, 2).reshape({n, t, kDims}));
  }

  double flops(int64_t tokens) const {
    const auto t = static_cast<double>(tokens);
    return t * (qkv_.flops() + proj_.flops()) + 4 * t * t * static_cast<double>(kDims);
  }

 private:
  Linear qkv_;
  Linear proj_;
};

class Feedforward : public Module {
 public:
  explicit Feedforward(Initialiser& init) : fc1_(kDims, 4 * kDims, init, kStart), fc2_(4 * kDims, kDims, init, kStart) {
    part("fc1", fc1_);
    part("fc2", fc2_);
  }
  at::Tensor forward(const at::Tensor& x) const { return fc2_.forward(at::gelu(fc1_.forward(x))); }
  double flops(int64_t tokens) const { return static_cast<double>(tokens) * (fc1_.flops() + fc2_.flops()); }

 private:
  Linear fc1_;
  Linear fc2_;
};

class TransformerBlock : public Module {
 public:
  explicit TransformerBlock(Initialiser& init) : norm1_(kDims), attention_(init), norm2_(kDims), mlp_(init) {
    part("norm1", norm1_);
    part("attn", attention_);
    part("norm2", norm2_);
    part("mlp", mlp_);
  }
  at::Tensor forward(const at::Tensor& x) const {
    const at::Tensor y = x + attention_.forward(norm1_.forward(x));
    return y + mlp_.forward(norm2_.forward(y));
  }
  double flops(int64_t tokens) const { return attention_.flops(tokens) + mlp_.flops(tokens); }

 private:
  LayerNorm norm1_;
  Attention attention_;
  LayerNorm norm2_;
  Feedforward mlp_;
};

// Tokens are the patches, row by row, after a class token whose last state is the feature vector. Names as timm's.
class VitTiny : public Network {
 public:
  VitTiny(const BackboneOptions& options, Initialiser init)
      : channels_(options.channels),
        size_(options.image_size),
        patch_(options.patch),
        tokens_(1 + (size_ / patch_) * (size_ / patch_)),
        class_token_(init.normal({1, 1, kDims}, 1e-6)),
        positions_(init.truncated_normal({1, tokens_, kDims}, 0.02)),
        patches_(init.uniform({kDims, channels_, patch_, patch_},
                              1 / std::sqrt(static_cast<double>(channels_ * patch_ * patch_)))),
        patches_bias_(init.uniform({kDims}, 1 / std::sqrt(static_cast<double>(channels_ * patch_ * patch_)))),
        norm_(kDims) {
    parameter("cls_token", class_token_);
    parameter("pos_embed", positions_);
    parameter("patch_embed.proj.weight", patches_);
    parameter("patch_embed.proj.bias", patches_bias_);
    for (int64_t i = 0; i < kLayers; ++i) {
      blocks_.push_back(std::make_unique<TransformerBlock>(init));
      part("blocks." + std::to_string(i), *blocks_.back());
    }
    part("norm", norm_);
  }

  at::Tensor forward(const at::Tensor& input) override {
    check(input.dim() == 4 && input.size(1) == channels_ && input.size(2) == size_ && input.size(3) == size_,
          "[vit-tiny] expected images [N, ", channels_, ", ", size_, ", ", size_, "], got shape ", shape_of(input));
    const at::Tensor patches = at::conv2d(input, patches_, patches_bias_, patch_).flatten(2).transpose(1, 2);
    const at::Tensor token = class_token_.expand({input.size(0), 1, kDims});
    at::Tensor x = at::cat({token, patches}, 1) + positions_;
    for (const auto& block : blocks_) x = block->forward(x);
    return norm_.forward(x.select(1, 0));
  }

  int64_t features() const override { return kDims; }
  std::vector<int64_t> input_shape() const override { return {channels_, size_, size_}; }

  double flops(int64_t) const override {
    return 2 * static_cast<double>(tokens_ - 1) * static_cast<double>(patches_.numel()) +
           static_cast<double>(kLayers) * blocks_.front()->flops(tokens_);
  }

 private:
  int64_t channels_;
  int64_t size_;
  int64_t patch_;
  int64_t tokens_;
  at::Tensor class_token_;
  at::Tensor positions_;
  at::Tensor patches_;
  at::Tensor patches_bias_;
  std::vector<std::unique_ptr<TransformerBlock>> blocks_;
  LayerNorm norm_;
};

}  // namespace

std::shared_ptr<Encoder> make_vit_tiny(const BackboneOptions& options, uint64_t seed) {
  check(options.image_size % options.patch == 0, "[vit-tiny] expected an image size that is a multiple of the patch ",
        options.patch, ", got ", options.image_size);
  return std::make_shared<VitTiny>(options, Initialiser(seed));
}

}  // namespace orthant
