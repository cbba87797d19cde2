#include "learn/train/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/task/encode.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/shards/merge.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

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

// An oracle that keeps everything in memory.
TEST(Embed, IsWhatTheModelMakesOfAllAtOnce) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  for (const char* activation : {"relu", "none"}) {
    Model model(tiny_model(activation), 5);
    Loader loader(data, plain_views(model.options().preprocessing), plain_loader(30, 7, 1));
    const Matrix whole = encode(model, loader, 30).z;
    for (const int64_t memory : {int64_t{1} << 20, int64_t{64}}) {
      const Embeddings embeddings = embed(model, data, {.batch = 7, .threads = 1, .spool = {.memory = memory}});
      const auto* sparse = std::get_if<SparseMatrix>(&embeddings.features);
      EXPECT_EQ(sparse ? sparse->to_dense() : std::get<Matrix>(embeddings.features), whole);
    }
  }
}

// Shares that are uneven, and more processes than batches.
TEST(Embed, SharesPutTogetherAreTheSameBytes) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  const test::TemporaryFolder folder;
  for (const char* activation : {"topk", "none"}) {
    ModelOptions options = tiny_model(activation);
    options.activation.topk = 2;
    Model model(options, 5);
    io::write_embeddings(folder / "whole.safetensors", embed(model, data, {.batch = 4, .threads = 1}));
    for (const int64_t ranks : {2, 3, 11}) {
      std::vector<std::string> parts;
      for (int64_t rank = 0; rank < ranks; ++rank) {
        parts.push_back(folder / ("part" + std::to_string(rank) + ".safetensors"));
        io::write_embeddings(parts.back(),
                             embed(model, data, {.batch = 4, .threads = 1, .rank = rank, .ranks = ranks}));
      }
      io::write_embeddings(folder / "merged.safetensors", shards::merge_parts(parts, 1));
      EXPECT_TRUE(test::read_bytes(folder / "merged.safetensors") == test::read_bytes(folder / "whole.safetensors"));
    }
  }
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
