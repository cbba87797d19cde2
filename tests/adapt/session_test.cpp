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
    const Kept chance = session.watch().chance();
    EXPECT_GT(chance.one_nn, 0.2);  // four classes
    EXPECT_LT(chance.one_nn, 0.4);
    EXPECT_DOUBLE_EQ(chance.recall, 10.0 / 270);
    EXPECT_GT(session.table().front().precision, chance.precision);
    if (positives != "towers") continue;
    EXPECT_GT(session.watch().find(session.adapter()).there_at_1, 0.9);
  }
}

// Two views of the same planted parts by models that know nothing of each other: other directions, noise, an offset.
struct Pair {
  Matrix first;
  Matrix second;
};

Pair planted_pair(int64_t count, int64_t first_dims, int64_t second_dims, bool aligned) {
  constexpr int64_t kParts = 24;
  Rng rng(9);
  const auto random = [&](int64_t rows, int64_t cols) {
    Matrix made(rows, cols);
    for (float& value : made.mutable_values()) value = static_cast<float>(rng.normal());
    return made;
  };
  const Matrix parts = random(kParts, first_dims);
  const Matrix others = aligned ? parts : random(kParts, second_dims);
  const Matrix offset = random(2, std::max(first_dims, second_dims));
  Pair pair{random(count, first_dims), random(count, second_dims)};
  for (int64_t i = 0; i < count; ++i) {
    for (float& value : pair.first.mutable_row(i)) value *= 0.3F;
    for (float& value : pair.second.mutable_row(i)) value *= 0.3F;
    for (int n = 0; n < 3; ++n) {
      const auto part = static_cast<int64_t>(rng.below(kParts));
      for (int64_t j = 0; j < first_dims; ++j) pair.first(i, j) += parts(part, j);
      for (int64_t j = 0; j < second_dims; ++j) pair.second(i, j) += others(part, j);
    }
    for (int64_t j = 0; j < first_dims; ++j) pair.first(i, j) += 2 * offset(0, j);
    for (int64_t j = 0; j < second_dims; ++j) pair.second(i, j) += 2 * offset(1, j);
  }
  return pair;
}

Found found_across(const TemporaryFolder& folder, const Pair& pair, const std::string& align) {
  test::write_rows(folder / "a.npy", pair.first);
  test::write_rows(folder / "b.npy", pair.second);
  const AdaptRecipe recipe = small_recipe(folder / "a.npy", {{"data.second", folder / "b.npy"},
                                                             {"adapter.align", align},
                                                             {"adapter.features", int64_t{64}},
                                                             {"train.epochs", int64_t{20}}});
  learned_model(recipe, folder / ("run-" + align));
  const Material material = open_material(recipe);
  const Watch watch(recipe, material, read_adapter(RunPaths(folder / ("run-" + align)).model_file()));
  EXPECT_DOUBLE_EQ(watch.chance().found.there_at_10, 10.0 / 200);
  return watch.find(read_adapter(RunPaths(folder / ("run-" + align)).model_file()));
}

TEST(AdaptSession, TwoTowersFindEachOtherByThePartsThatTheyShare) {
  const TemporaryFolder folder;
  const Found found = found_across(folder, planted_pair(2000, 24, 24, true), "auto");
  EXPECT_EQ(found.rows, 200);
  EXPECT_GT(found.there_at_10, 0.5);  // chance is 0.05
  EXPECT_GT(found.back_at_10, 0.5);
}

TEST(AdaptSession, TowersOfOtherWidthsAndSpacesAreMapped) {
  const TemporaryFolder folder;
  const Found found = found_across(folder, planted_pair(2000, 24, 40, false), "auto");
  EXPECT_GT(found.there_at_10, 0.5);
  EXPECT_GT(found.back_at_10, 0.5);
  // Of one width it has to be asked for.
  const Pair alike = planted_pair(2000, 24, 24, false);
  const Found mapped = found_across(folder, alike, "linear");
  EXPECT_GT(mapped.there_at_10, 0.5);
  EXPECT_LT(found_across(folder, alike, "none").there_at_10, mapped.there_at_10);
}

// What was mapped goes on, and embeds, as it was learned.
TEST(AdaptSession, AMapIsKeptWithTheModel) {
  const TemporaryFolder folder;
  const Pair pair = planted_pair(300, 12, 20, false);
  test::write_rows(folder / "a.npy", pair.first);
  test::write_rows(folder / "b.npy", pair.second);
  const AdaptRecipe recipe = small_recipe(folder / "a.npy", {{"data.second", folder / "b.npy"}});
  const std::string straight = learned_model(recipe, folder / "straight");
  EXPECT_EQ(learned_model(recipe, folder / "stopped", 5), straight);
  const Adapter adapter = read_adapter(RunPaths(folder / "straight").model_file());
  EXPECT_EQ(adapter.width(true), 20);
  EXPECT_EQ(embed(adapter, Vectors(folder / "b.npy"), {}, {}, {.second = true}).rows(), 300);
  EXPECT_THAT(message_of([&] { embed(adapter, Vectors(folder / "a.npy"), {}, {}, {.second = true}); }),
              HasSubstr("expected vectors of 20, as the adapter takes them, got 12"));
  const AdaptRecipe none =
      small_recipe(folder / "a.npy", {{"data.second", folder / "b.npy"}, {"adapter.align", std::string("none")}});
  EXPECT_THAT(message_of([&] { open_material(none); }),
              HasSubstr("expected auto or linear for vectors of 12 and of 20 numbers, got none"));
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
