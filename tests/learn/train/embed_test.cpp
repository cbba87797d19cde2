#include "learn/train/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::Clusters;
using test::message_of;
using ::testing::HasSubstr;

ModelOptions tiny_model(const std::string& activation) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 16, .depth = 1};
  options.projector = {.hidden = 16, .out = 12, .depth = 2};
  options.activation.name = activation;
  return options;
}

TEST(Embed, AppliesWhatTheModelSaysAndKeepsWhatIsKnownOfTheItems) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  Model model(tiny_model("relu"), 5);
  const Embeddings embeddings = embed(model, data, {.batch = 7});
  embeddings.validate();
  EXPECT_EQ(embeddings.rows(), 30);
  EXPECT_EQ(embeddings.cols(), 12);
  EXPECT_EQ(embeddings.labels[5], 1);
  EXPECT_EQ(embeddings.ids[5], data->id(5));
  EXPECT_EQ(embeddings.how.at("activation"), "relu");
  EXPECT_EQ(embeddings.how.at("temperature"), "0.2");
  const Matrix dense = embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                                           : std::get<Matrix>(embeddings.features);
  for (const float x : dense.values()) EXPECT_GE(x, 0);
  const Embeddings again = embed(model, data, {.batch = 30});
  EXPECT_EQ(again.rows(), 30);
}

TEST(Embed, IsSparseOnlyWhereThatPays) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  ModelOptions few = tiny_model("topk");
  few.activation.topk = 2;
  Model sparse(few, 5);
  EXPECT_TRUE(embed(sparse, data).sparse());
  Model dense(tiny_model("none"), 5);
  EXPECT_FALSE(embed(dense, data).sparse());
  EXPECT_EQ(embed(dense, data, {.layer = "backbone"}).cols(), 16);
}

TEST(Embed, RefusesAnotherLayerAndOtherData) {
  Model model(tiny_model("relu"), 5);
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  EXPECT_THAT(message_of([&] { embed(model, data, {.layer = "head"}); }), HasSubstr("got 'head'"));
  EXPECT_THAT(message_of([&] { embed(model, std::make_shared<Clusters>(30, 5, 4)); }),
              HasSubstr("expected vectors of 6 for this model, got vectors of 5"));
}

}  // namespace
}  // namespace orthant
