#include <ATen/ATen.h>

#include <cmath>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/tensors.h"
#include "learn/nn/transformer.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kDims = 192;
constexpr int64_t kLayers = 12;
constexpr int64_t kHeads = 3;

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
      blocks_.push_back(std::make_unique<TransformerBlock>(kDims, kHeads, init));
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
