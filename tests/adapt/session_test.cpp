#include "orthant/adapt/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "orthant/adapt/embed.h"
#include "orthant/run/run_paths.h"
#include "tests/adapt/planted.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::adapt {
namespace {

using ::orthant::test::message_of;
using ::orthant::test::read_bytes;
using ::orthant::test::TemporaryFolder;
using ::testing::HasSubstr;

AdaptRecipe small_recipe(const std::string& file, const Settings& more = {}) {
  Settings settings = {{"data.embeddings", file},      {"adapter.features", int64_t{32}},
                       {"adapter.active", int64_t{3}}, {"train.batch", int64_t{100}},
                       {"train.epochs", int64_t{4}},   {"train.threads", int64_t{2}},
                       {"watch.seconds", 0.0},         {"train.rate", 0.01}};
  for (const auto& [key, value] : more) settings[key] = value;
  return make_adapt_recipe({{"test", settings}});
}

// Learns in a new folder, stopped after `stop_after` steps and gone on with by another session, if that is above 0.
std::string learned_model(AdaptRecipe recipe, const std::string& folder, int64_t stop_after = 0) {
  const Material material = open_material(recipe);
  fit_to_rows(recipe, material.shape());
  std::filesystem::create_directories(RunPaths(folder).checkpoint_folder());
  if (stop_after > 0) {
    Session first(recipe, material);
    SessionListener listener;
    listener.stop = [&] { return first.position().step == stop_after; };
    EXPECT_FALSE(first.learn(folder, listener));
  }
  Session session(recipe, material);
  EXPECT_TRUE(session.go_back_to_checkpoint(folder).empty());
  EXPECT_EQ(session.position().step, stop_after);
  EXPECT_TRUE(session.learn(folder));
  return read_bytes(RunPaths(folder).model_file());
}

TEST(AdaptSession, GoesOnBitForBitWhereverItWasStopped) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(500, 12, 16, 5).rows);
  for (const char* method : {"topk", "batch", "jump", "csr"}) {
    const AdaptRecipe recipe = small_recipe(folder / "a.npy", {{"train.method", std::string(method)}});
    const std::string straight = learned_model(recipe, folder / (std::string(method) + "-straight"));
    for (const int64_t stop : {1, 4, 9}) {  // 4: the last step of an epoch
      const std::string run = folder / (method + std::to_string(stop));
      EXPECT_EQ(learned_model(recipe, run, stop), straight) << method << " " << stop;
    }
  }
}

// Rows beyond memory come in other windows, but every one comes, and a run goes on the same.
TEST(AdaptSession, StreamsWhatDoesNotFitIntoMemory) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(3000, 128, 16, 5).rows);  // 1.5 MB
  const AdaptRecipe recipe = small_recipe(folder / "a.npy", {{"train.memory_mib", int64_t{1}}});
  const std::string straight = learned_model(recipe, folder / "straight");
  EXPECT_EQ(learned_model(recipe, folder / "stopped", 30), straight);
}

TEST(AdaptSession, IsTheSameOnAnyNumberOfThreads) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(500, 12, 16, 5).rows);
  const auto on = [&](int64_t threads) {
    return learned_model(small_recipe(folder / "a.npy", {{"train.threads", threads}}),
                         folder / ("threads" + std::to_string(threads)));
  };
  EXPECT_EQ(on(1), on(2));
}

TEST(AdaptSession, FindsThePartsThatWerePlanted) {
  const TemporaryFolder folder;
  const test::Planted planted = test::plant(4000, 16, 16, 7);
  test::write_rows(folder / "a.npy", planted.rows);
  AdaptRecipe recipe = small_recipe(folder / "a.npy", {{"train.epochs", int64_t{40}}});
  const Material material = open_material(recipe);
  fit_to_rows(recipe, material.shape());
  Session session(recipe, material);
  std::filesystem::create_directories(RunPaths(folder.path().string()).checkpoint_folder());
  EXPECT_TRUE(session.learn(folder.path().string()));
  const Adapter& adapter = session.adapter();
  double mean_best = 0;
  for (int64_t p = 0; p < 16; ++p) {
    double best = 0;
    for (int64_t h = 0; h < adapter.features; ++h) {
      double across = 0;
      double a = 0;
      double b = 0;
      for (int64_t j = 0; j < 16; ++j) {
        const auto w = static_cast<double>(adapter.decoder[static_cast<size_t>(h * adapter.stride + j)]);
        const auto part = static_cast<double>(planted.parts(p, j));
        across += w * part;
        a += w * w;
        b += part * part;
      }
      best = std::max(best, across / std::sqrt(a * b));
    }
    mean_best += best / 16;
  }
  EXPECT_GT(mean_best, 0.9);
  ASSERT_FALSE(session.table().empty());
  EXPECT_EQ(session.table().front().code, "dense");
  EXPECT_GT(session.table()[1].explained, 0.5);
}

TEST(AdaptSession, EveryKindOfPositivesLearns) {
  const TemporaryFolder folder;
  const test::Planted planted = test::plant(300, 12, 4, 5);
  test::write_rows(folder / "a.npy", planted.rows);
  test::write_rows(folder / "b.npy", planted.rows);
  std::string labels;
  for (const int64_t label : planted.labels) labels += std::to_string(label) + "\n";
  orthant::test::write_bytes(folder / "labels.txt", labels);
  std::vector<int64_t> pairs;
  for (int64_t i = 0; i < 300; ++i) pairs.insert(pairs.end(), {i, (i + 1) % 300});
  io::write_npy(folder / "pairs.npy", io::array_of(std::span<const int64_t>(pairs), {300, 2}));
  for (const std::string positives : {"self", "labels", "neighbours", "noise", "pairs", "towers"}) {
    SCOPED_TRACE(positives);
    Settings more = {{"objective.contrast", 1.0}, {"data.labels", folder / "labels.txt"}, {"train.epochs", int64_t{2}}};
    if (positives != "towers") more["objective.positives"] = positives == "pairs" ? folder / "pairs.npy" : positives;
    if (positives == "towers") more["data.second"] = folder / "b.npy";
    AdaptRecipe recipe = small_recipe(folder / "a.npy", more);
    const Material material = open_material(recipe);
    fit_to_rows(recipe, material.shape());
    Session session(recipe, material);
    double contrast = 0;
    SessionListener listener;
    listener.step = [&](int64_t, int64_t, const StepReport& report) { contrast = report.contrast; };
    std::filesystem::create_directories(RunPaths(folder / positives).checkpoint_folder());
    EXPECT_TRUE(session.learn(folder / positives, listener));
    EXPECT_GT(contrast, 0);
    EXPECT_GT(session.table().front().one_nn, 0.5);
    if (positives != "towers") continue;
    EXPECT_GT(session.watch().find(session.adapter()).there_at_1, 0.9);
  }
}

TEST(AdaptSession, RefusesACheckpointOfOtherVectors) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(500, 12, 16, 5).rows);
  learned_model(small_recipe(folder / "a.npy"), folder / "run");
  test::write_rows(folder / "a.npy", test::plant(500, 12, 16, 6).rows);
  AdaptRecipe recipe = small_recipe(folder / "a.npy");
  const Material material = open_material(recipe);
  fit_to_rows(recipe, material.shape());
  Session session(recipe, material);
  EXPECT_THAT(message_of([&] { session.go_back_to_checkpoint(folder / "run"); }),
              HasSubstr("expected the vectors that the run began with, got others"));
}

TEST(AdaptEmbed, TakesTheRowsAskedForWithTheirNames) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(500, 12, 16, 5).rows);
  AdaptRecipe recipe = small_recipe(folder / "a.npy");
  const Material material = open_material(recipe);
  fit_to_rows(recipe, material.shape());
  Session session(recipe, material);
  RowNames names;
  for (int i = 0; i < 500; ++i) names.ids.push_back("row" + std::to_string(i));
  const Embeddings all = embed(session.adapter(), material.vectors, names);
  const Embeddings some = embed(session.adapter(), material.vectors, names, {3, 499}, {.active = 2});
  EXPECT_EQ(all.rows(), 500);
  EXPECT_EQ(some.ids, (std::vector<std::string>{"row3", "row499"}));
  EXPECT_EQ(std::get<SparseMatrix>(some.features).nnz(), 4);
  const Vectors narrow = [&] {
    test::write_rows(folder / "n.npy", test::plant(10, 5, 3, 1).rows);
    return Vectors(folder / "n.npy");
  }();
  EXPECT_THAT(message_of([&] { embed(session.adapter(), narrow, {}); }),
              HasSubstr("expected vectors of 12, as the adapter takes them, got 5"));
}

}  // namespace
}  // namespace orthant::adapt
