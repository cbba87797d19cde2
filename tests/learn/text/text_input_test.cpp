#include "learn/text/text_input.h"

#include <gmock/gmock.h>

#include <ATen/ATen.h>

#include "orthant/text/text_ids.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

ModelOptions options_of(const std::string& backbone) {
  ModelOptions options;
  options.backbone.name = backbone;
  return options;
}

std::vector<int32_t> row_of(const at::Tensor& ids, int64_t i) {
  std::vector<int32_t> row;
  for (int64_t t = 0; t < ids.size(1) && ids[i][t].item<int32_t>() >= 0; ++t) row.push_back(ids[i][t].item<int32_t>());
  return row;
}

TEST(TextTensor, HoldsTheIdsOfEachTextPaddedAtTheEnd) {
  const std::vector<std::string> texts = {"A red star", "...", "one"};
  const at::Tensor bag = text_tensor(texts, options_of("text-bag"));
  const at::Tensor words = text_tensor(texts, options_of("text-transformer"));
  EXPECT_EQ(bag.scalar_type(), at::kInt);
  EXPECT_EQ(words.sizes(), (std::vector<int64_t>{3, 3}));
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(row_of(bag, static_cast<int64_t>(i)), text_ids(texts[i]));
    EXPECT_EQ(row_of(words, static_cast<int64_t>(i)), word_ids(texts[i]));
  }
  EXPECT_TRUE((words[1] == -1).all().item<bool>());
  EXPECT_TRUE((words[2].narrow(0, 1, 2) == -1).all().item<bool>());
}

TEST(TextTensor, FollowsTheOptionsOfTheText) {
  ModelOptions options = options_of("text-transformer");
  options.text.max_words = 2;
  options.text.buckets = 7;
  const at::Tensor ids = text_tensor(std::vector<std::string>{"one two three"}, options);
  EXPECT_EQ(ids.sizes(), (std::vector<int64_t>{1, 2}));
  EXPECT_LT(ids.max().item<int32_t>(), 7);
}

TEST(TextTensor, HasAColumnEvenWithoutWords) {
  EXPECT_EQ(text_tensor(std::vector<std::string>{"?"}, options_of("text-bag")).sizes(), (std::vector<int64_t>{1, 1}));
}

TEST(TextTensor, RefusesOtherNetworksAndOtherBytes) {
  const std::vector<std::string> texts = {"a"};
  EXPECT_THAT(test::message_of([&] { text_tensor(texts, options_of("mlp")); }),
              HasSubstr("[text] expected text-bag or text-transformer, got mlp"));
  EXPECT_THAT(test::message_of([&] { text_tensor(std::vector<std::string>{"\xff"}, options_of("text-bag")); }),
              HasSubstr("[text] expected UTF-8"));
}

}  // namespace
}  // namespace orthant
