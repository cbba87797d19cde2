#include <gmock/gmock.h>

#include <ATen/Parallel.h>

#include "learn/nn/encoder.h"
#include "learn/nn/model.h"
#include "learn/nn/ops.h"
#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/model_metadata.h"
#include "tests/learn/nn/formula.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

const TextOptions kText{.buckets = 64, .max_words = 8};
const std::vector<BackboneOptions> kNetworks = {{.name = "text-bag", .dims = 16, .hidden = 24},
                                                {.name = "text-transformer", .dims = 16, .layers = 2, .heads = 2}};

// Texts of 8, 0, 1 and 5 words.
at::Tensor some_ids() {
  at::Tensor ids = at::full({4, 8}, -1, at::kInt);
  for (int64_t t = 0; t < 8; ++t) ids[0][t] = (7 * t + 3) % 64;
  ids[2][0] = 63;
  for (int64_t t = 0; t < 5; ++t) ids[3][t] = 9;
  return ids;
}

TEST(TextNetworks, GiveFeaturesAndAGradientToEveryParameter) {
  for (const BackboneOptions& options : kNetworks) {
    const auto encoder = make_encoder(options, 3, kText);
    const at::Tensor y = encoder->forward(some_ids());
    ASSERT_EQ(y.sizes(), (std::vector<int64_t>{4, encoder->features()})) << options.name;
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    (y * picture(y.sizes())).sum().backward();
    encoder->visit_parameters([&](const std::string& name, at::Tensor& tensor) {
      ASSERT_TRUE(tensor.grad().defined()) << options.name << " " << name;
      EXPECT_TRUE(tensor.grad().isfinite().all().item<bool>()) << options.name << " " << name;
    });
    EXPECT_GT(encoder->flops(0), 0);
    EXPECT_EQ(encoder->input_shape(), (std::vector<int64_t>{-1}));
  }
}

TEST(TextNetworks, GradientsReachTheRowsThatOccurAndNoOthers) {
  for (const BackboneOptions& options : kNetworks) {
    const auto encoder = make_encoder(options, 3, kText);
    const at::Tensor y = encoder->forward(some_ids());
    (y * picture(y.sizes())).sum().backward();
    encoder->visit_parameters([&](const std::string& name, at::Tensor& tensor) {
      if (name != kWordTable) return;
      at::Tensor expected = at::zeros({64}, at::kBool);
      for (int64_t t = 0; t < 8; ++t) expected[(7 * t + 3) % 64] = true;
      expected[63] = expected[9] = true;
      EXPECT_TRUE((tensor.grad().abs().sum(1) > 0).equal(expected)) << options.name;
    });
  }
}

TEST(TextNetworks, PaddingAndTheRestOfTheBatchDoNotMatter) {
  for (const BackboneOptions& options : kNetworks) {
    const auto encoder = make_encoder(options, 3, kText);
    const at::Tensor whole = encoder->forward(some_ids());
    const at::Tensor alone = encoder->forward(some_ids().narrow(0, 3, 1).narrow(1, 0, 5));
    EXPECT_LT(relative_error(alone, whole.narrow(0, 3, 1)), 1e-5) << options.name;
  }
}

TEST(TextNetworks, ATextWithoutWordsIsZeroForTheTransformer) {
  const auto encoder = make_encoder(kNetworks[1], 3, kText);
  EXPECT_EQ(encoder->forward(some_ids())[1].abs().sum().item<float>(), 0);
  EXPECT_EQ(encoder->forward(at::full({2, 1}, -1, at::kInt)).abs().sum().item<float>(), 0);
}

TEST(TextNetworks, TheOrderOfWordsMattersToTheTransformerAlone) {
  const at::Tensor ids = some_ids().narrow(0, 0, 1);
  for (const BackboneOptions& options : kNetworks) {
    const auto encoder = make_encoder(options, 3, kText);
    const double change = relative_error(encoder->forward(ids.flip(1)), encoder->forward(ids));
    EXPECT_EQ(change > 1e-4, options.name == "text-transformer") << change;
  }
}

TEST(TextNetworks, TheTableGradientIsTheSameForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  at::Tensor gradients[2];
  for (int k = 0; k < 2; ++k) {
    at::set_num_threads(k == 0 ? 1 : 3);
    at::Tensor table = picture({64, 16}).requires_grad_();
    const at::Tensor y = ops::bag_mean(table, some_ids());
    (y * picture(y.sizes())).sum().backward();
    gradients[k] = table.grad();
  }
  at::set_num_threads(before);
  EXPECT_TRUE(gradients[0].equal(gradients[1]));
}

TEST(TextNetworks, AreTheSameForTheSameSeedAndAnotherForAnother) {
  for (const BackboneOptions& options : kNetworks) {
    const auto features = [&](uint64_t seed) { return make_encoder(options, seed, kText)->forward(some_ids()); };
    EXPECT_TRUE(features(1).equal(features(1)));
    EXPECT_FALSE(features(1).equal(features(2)));
  }
}

TEST(TextNetworks, RefuseWhatIsNoTextAndWhatIsNoNetwork) {
  for (const BackboneOptions& options : kNetworks) {
    const auto encoder = make_encoder(options, 0, kText);
    EXPECT_THAT(message_of([&] {
                  encoder->forward(picture({2, 8}));
                }),
                HasSubstr("expected texts as int32 ids [N, L], got Float of shape [2, 8]"));
    EXPECT_THAT(message_of([&] {
                  encoder->forward(at::full({2, 3}, 64, at::kInt));
                }),
                HasSubstr("expected ids below 64, got 64"));
    EXPECT_THAT(message_of([&] { make_encoder(options, 0, {.hash = "md5"}); }), HasSubstr("fnv1a-64"));
  }
  EXPECT_THAT(message_of([] {
                make_encoder(kNetworks[1], 0, kText)->forward(at::zeros({1, 9}, at::kInt));
              }),
              HasSubstr("expected texts of at most 8 words (text.max_words), got 9"));
  EXPECT_THAT(message_of([] { make_encoder({.name = "text-transformer", .dims = 16, .heads = 3}, 0, kText); }),
              HasSubstr("expected dims that are a multiple of the 3 heads, got 16"));
}

ModelOptions model_options(const BackboneOptions& backbone) {
  ModelOptions options;
  options.backbone = backbone;
  options.text = {.normalise = "none", .char_min = 2, .char_max = 3, .word_ngrams = 2, .buckets = 64, .max_words = 8};
  return options;
}

TEST(TextModel, ComesBackFromItsFile) {
  const test::TemporaryFolder folder;
  for (const BackboneOptions& backbone : kNetworks) {
    Model model(model_options(backbone), 5);
    model.train(false);
    model.save(folder / "m.safetensors");
    Model loaded = Model::load(folder / "m.safetensors");
    EXPECT_EQ(loaded.options(), model.options());
    EXPECT_TRUE(loaded.forward(some_ids()).equal(model.forward(some_ids())));
    EXPECT_GT(model.flops(), 0);
    const auto metadata = io::SafeTensors::open(folder / "m.safetensors").metadata();
    EXPECT_EQ(metadata.at("text.hash"), "fnv1a-64");
    EXPECT_EQ(metadata.at("text.unicode"), unicode_version());
  }
}

TEST(TextModel, IsRefusedIfItsTextsBecameIdsInAnotherWay) {
  auto metadata = model_metadata(model_options(kNetworks[0]));
  metadata["text.hash"] = "murmur3";
  EXPECT_THAT(message_of([&] { parse_model_metadata(metadata, "m.safetensors"); }),
              ::testing::AllOf(HasSubstr("m.safetensors"), HasSubstr("text.hash"), HasSubstr("fnv1a-64")));
  metadata = model_metadata(model_options(kNetworks[0]));
  metadata.erase("text.normalise");
  EXPECT_THAT(message_of([&] { parse_model_metadata(metadata, "m.safetensors"); }),
              HasSubstr("expected text.normalise in the metadata, got none"));
}

TEST(TextModel, OthersSayNothingOfTexts) {
  const auto metadata = model_metadata({});
  for (const auto& [key, value] : metadata) EXPECT_FALSE(key.starts_with("text."));
  auto older = metadata;
  older.erase("backbone.layers");
  older.erase("backbone.heads");
  EXPECT_EQ(parse_model_metadata(older, "m"), ModelOptions{}) << "files of before texts";
}

}  // namespace
}  // namespace orthant
