#include <ATen/ATen.h>

#include <algorithm>

#include "learn/nn/network.h"
#include "learn/nn/ops.h"
#include "learn/nn/tensors.h"
#include "learn/nn/transformer.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// The words of all texts behind one another: no work is done for padding.
struct Tokens {
  at::Tensor words;      // int32 [M, 1]: ids
  at::Tensor positions;  // int32 [M, 1]: places in their texts
  at::Tensor begins;     // int64 [N + 1]: where the texts begin
  at::Tensor of_text;    // int32 [N, L]: the tokens of each text, padded with -1
};

Tokens tokens_of(const at::Tensor& ids) {
  const int64_t texts = ids.size(0);
  const int64_t length = ids.size(1);
  Tokens tokens{.words = {},
                .positions = {},
                .begins = at::zeros({texts + 1}, at::kLong),
                .of_text = at::full({texts, length}, -1, at::kInt)};
  std::vector<int32_t> words;
  std::vector<int32_t> positions;
  const auto given = ids.accessor<int32_t, 2>();
  auto of_text = tokens.of_text.accessor<int32_t, 2>();
  for (int64_t n = 0; n < texts; ++n) {
    for (int64_t t = 0; t < length && given[n][t] >= 0; ++t) {
      of_text[n][t] = static_cast<int32_t>(words.size());
      words.push_back(given[n][t]);
      positions.push_back(static_cast<int32_t>(t));
    }
    tokens.begins.data_ptr<int64_t>()[n + 1] = std::ssize(words);
  }
  tokens.words = at::tensor(words, at::kInt).unsqueeze(1);
  tokens.positions = at::tensor(positions, at::kInt).unsqueeze(1);
  return tokens;
}

// Pre-norm layers over the words of a text with learned positions; the feature vector is the mean of their last states,
// zero for a text without words. Names of the layers as timm's.
class TextTransformer : public Network {
 public:
  TextTransformer(const BackboneOptions& options, const TextOptions& text, Initialiser init)
      : words_(init.truncated_normal({text.buckets, text_dims(options)}, 0.02)),
        positions_(init.truncated_normal({text.max_words, text_dims(options)}, 0.02)),
        norm_(text_dims(options)) {
    parameter(kWordTable, words_);
    parameter(kPlaceTable, positions_);
    for (int64_t i = 0; i < options.layers; ++i) {
      blocks_.push_back(std::make_unique<TransformerBlock>(features(), options.heads, init));
      part("blocks." + std::to_string(i), *blocks_.back());
    }
    part("norm", norm_);
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor ids = text_input(input, "text-transformer");
    const Tokens tokens = tokens_of(ids);
    const int64_t longest = tokens.positions.numel() == 0 ? 0 : tokens.positions.max().item<int32_t>() + 1;
    check(longest <= positions_.size(0), "[text-transformer] expected texts of at most ", positions_.size(0),
          " words (text.max_words), got ", longest);
    if (longest == 0) return at::zeros({ids.size(0), features()});
    at::Tensor x = ops::bag_mean(words_, tokens.words) + ops::bag_mean(positions_, tokens.positions);
    for (const auto& block : blocks_) x = block->forward(x, tokens.begins);
    return ops::bag_mean(norm_.forward(x), tokens.of_text);
  }

  int64_t features() const override { return words_.size(1); }
  std::vector<int64_t> input_shape() const override { return {-1}; }
  double flops(int64_t) const override {
    return static_cast<double>(blocks_.size()) * blocks_.front()->flops(positions_.size(0));
  }

 private:
  at::Tensor words_;
  at::Tensor positions_;
  std::vector<std::unique_ptr<TransformerBlock>> blocks_;
  LayerNorm norm_;
};

}  // namespace

std::shared_ptr<Encoder> make_text_transformer(const BackboneOptions& options, const TextOptions& text, uint64_t seed) {
  check(text_dims(options) % options.heads == 0, "[text-transformer] expected dims that are a multiple of the ",
        options.heads, " heads, got ", text_dims(options));
  return std::make_shared<TextTransformer>(options, text, Initialiser(seed));
}

}  // namespace orthant
