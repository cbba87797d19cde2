#include "learn/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "learn/task/evaluation.h"
#include "learn/train/embed.h"
#include "learn/train/loop.h"
#include "orthant/core/amx.h"
#include "orthant/io/atomic_file.h"
#include "orthant/sources/open.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Clusters;
using test::loop_options;
using test::Pretraining;
using test::tiny_recipe;
using ::testing::HasSubstr;

void expect_same(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.facts, b.facts);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    const auto& other = b.tensors.at(name).bytes;
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, other)) << name;
  }
}

void train_steps(Trainer& trainer, int64_t steps) {
  for (int64_t done = 0; done < steps && !trainer.finished();) {
    trainer.begin_epoch();
    while (done < steps && trainer.backward()) {
      trainer.step();
      ++done;
    }
    if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
  }
}

TEST(Training, ChunksUpdateBatchNormOncePerPiece) {
  Recipe recipe = tiny_recipe();
  recipe.train.chunk = 8;
  Pretraining run(recipe, std::make_shared<Clusters>(32, 6, 4));
  run.trainer.begin_epoch();
  ASSERT_TRUE(run.trainer.backward().has_value());
  run.task.model().visit_buffers([](const std::string& name, at::Tensor& buffer) {
    if (name.ends_with("num_batches_tracked")) {
      EXPECT_EQ(buffer.item<int64_t>(), 2) << name;
    }
  });
}

TEST(Training, ARestoredTrainerGoesOnBitForBitFromAnyStep) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string optimiser : {"lars", "adamw", "muon"}) {
    Recipe recipe = tiny_recipe();
    recipe.optimiser.name = optimiser;
    recipe.train.activation_warmup = 0.5;
    Pretraining uninterrupted(recipe, data);
    train_steps(uninterrupted.trainer, 1000);
    ASSERT_TRUE(uninterrupted.trainer.finished());
    const Checkpoint expected = uninterrupted.trainer.save();
    for (const int64_t stop : {0, 3, 5, 14}) {
      Pretraining first(recipe, data);
      train_steps(first.trainer, stop);
      Pretraining second(recipe, data);
      second.trainer.restore(first.trainer.save());
      EXPECT_EQ(second.trainer.position().step, stop);
      train_steps(second.trainer, 1000);
      expect_same(second.trainer.save(), expected);
    }
  }
}

// Runs of three steps on pictures, one of them stopped after two.
void expect_pictures_to_go_on(const std::string& precision, int64_t width) {
  DataOptions options;
  options.size = 48;
  const DatasetPtr sprites = open_dataset("sprites", options);
  Recipe recipe = tiny_recipe();
  recipe.train.precision = precision;
  recipe.train.epochs = 1;
  recipe.train.batch = 16;
  recipe.backbone = {.name = "conv-mini", .image_size = 16, .width = width};
  recipe.views.size = 16;
  Pretraining uninterrupted(recipe, sprites);
  train_steps(uninterrupted.trainer, 3);
  Pretraining first(recipe, sprites);
  train_steps(first.trainer, 2);
  Pretraining second(recipe, sprites);
  second.trainer.restore(first.trainer.save());
  train_steps(second.trainer, 1);
  expect_same(second.trainer.save(), uninterrupted.trainer.save());
}

TEST(Training, PicturesWithBatchNormAlsoGoOnBitForBit) { expect_pictures_to_go_on("float32", 8); }

TEST(Training, InBfloat16GoesOnBitForBitToo) {
  if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  expect_pictures_to_go_on("bfloat16", 32);
}

TEST(Training, InBfloat16MeasuresInFloat32) {
  if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Recipe recipe = tiny_recipe();
  Pretraining plain(recipe, {data, data});
  recipe.train.precision = "bfloat16";
  Pretraining rounded(recipe, {data, data});
  train_steps(rounded.trainer, 5);
  plain.trainer.restore(rounded.trainer.save());
  const Scalars expected = plain.task.evaluate({}).measures;
  const Scalars measures = rounded.task.evaluate({}).measures;
  ASSERT_FALSE(measures.empty());
  for (const Scalar& scalar : measures) EXPECT_EQ(scalar.value, find(expected, scalar.name)) << scalar.name;
}

TEST(Training, InBfloat16IsRefusedWhereThereIsNoAmx) {
  if (missing_amx().empty()) GTEST_SKIP() << "needs a machine without AMX bf16 tiles";
  Recipe recipe = tiny_recipe();
  recipe.train.precision = "bfloat16";
  EXPECT_THAT(test::message_of([&] { Pretraining(recipe, std::make_shared<Clusters>(40, 6, 4)); }),
              HasSubstr("[train.precision] expected a machine with AMX bf16 tiles for bfloat16, got "));
}

TEST(Training, ACheckpointOfAnotherNetworkIsRefused) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Pretraining run(tiny_recipe(), data);
  Recipe other = tiny_recipe();
  other.projector.out = 9;
  Pretraining different(other, data);
  EXPECT_THAT(test::message_of([&] { different.trainer.restore(run.trainer.save()); }),
              HasSubstr("a different network"));
}

TEST(Training, LearnsToTellClustersApart) {
  const auto data = std::make_shared<Clusters>(128, 6, 4);
  Recipe recipe = tiny_recipe();
  recipe.train.epochs = 20;
  recipe.train.batch = 32;
  recipe.data.vector_noise = 0.1;
  recipe.data.vector_dropout = 0;
  recipe.optimiser = {.name = "adamw", .rate = 0.08, .warmup_epochs = 1};
  recipe.loss.temperature = 0.5;
  Pretraining run(recipe, data);
  train_steps(run.trainer, 1000);
  const Evaluation after = evaluate(run.task.model(), recipe, data, data);
  EXPECT_GT(after.knn->backbone, 0.95);
  EXPECT_GT(after.statistics.sparsity, 0.2);
  EXPECT_EQ(after.statistics.non_negative, 1);
  EXPECT_GT(after.statistics.consistency, 0.4);
}

TEST(Training, AnActivationWarmUpGoesFromSignedFeaturesToNonNegativeOnes) {
  Recipe recipe = tiny_recipe();
  recipe.train.activation_warmup = 0.5;
  Pretraining run(recipe, std::make_shared<Clusters>(64, 6, 4));
  std::vector<Scalars> steps;
  while (!run.trainer.finished()) {
    run.trainer.begin_epoch();
    while (const auto measures = run.trainer.backward()) {
      run.trainer.step();
      steps.push_back(*measures);
    }
    run.trainer.end_epoch();
  }
  const auto half = static_cast<double>(steps.size()) / 2;
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(value_of(steps[i], "blend"), std::min(1.0, static_cast<double>(i) / half), 1e-9) << i;
  }
  EXPECT_EQ(value_of(steps.front(), "sparsity"), 0);
  EXPECT_GT(value_of(steps.back(), "sparsity"), 0.1);
}

TEST(Training, ALossThatIsNoNumberIsToldInWordsAndGoodWeightsAreKept) {
  const test::TemporaryFolder folder;
  Recipe recipe = tiny_recipe();
  recipe.optimiser = {.name = "sgd", .rate = 1e6, .warmup_epochs = 0};
  recipe.loss.name = "spectral";
  recipe.activation.name = "none";
  recipe.train.pacing.checkpoint_steps = 1;
  recipe.train.epochs = 50;
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(40, 6, 4)};
  const RunFolder run = RunFolder::create(folder / "run");
  Pretraining diverging(recipe, data);
  EXPECT_THAT(test::message_of([&] { train(diverging.trainer, loop_options(recipe, run)); }),
              HasSubstr("the last good checkpoint is kept"));
  Pretraining kept(recipe, data);
  const auto found = read_checkpoint(run.checkpoint_folder());
  ASSERT_TRUE(found) << "it must diverge after its first checkpoint, not before";
  kept.trainer.restore(found->checkpoint);
  EXPECT_GT(kept.trainer.position().step, 0);
  EXPECT_TRUE(kept.trainer.weights_are_finite());
}

TEST(Training, AStoppedSessionEndsLikeAnUninterruptedOne) {
  const test::TemporaryFolder folder;
  const Recipe recipe = tiny_recipe();
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(20, 6, 4)};
  const RunFolder whole = RunFolder::create(folder / "whole");
  Pretraining uninterrupted(recipe, data);
  EXPECT_EQ(train(uninterrupted.trainer, loop_options(recipe, whole)), Ending::finished);

  const RunFolder run = RunFolder::create(folder / "run");
  Pretraining first(recipe, data);
  TrainListener listener;
  listener.stop = [&] { return first.trainer.position().step == 7; };
  EXPECT_EQ(train(first.trainer, loop_options(recipe, run), listener), Ending::stopped);
  Pretraining second(recipe, data);
  const auto found = read_checkpoint(run.checkpoint_folder());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->step, 7);
  second.trainer.restore(found->checkpoint);
  EXPECT_EQ(train(second.trainer, loop_options(recipe, run)), Ending::finished);
  EXPECT_EQ(test::read_bytes(run.model_file()), test::read_bytes(whole.model_file()));
}

TEST(Training, TheLogTellsEveryEpochWithItsMeasures) {
  const test::TemporaryFolder folder;
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(20, 6, 4)};
  const RunFolder run = RunFolder::create(folder / "run");
  Pretraining session(tiny_recipe(), data);
  train(session.trainer, loop_options(tiny_recipe(), run));
  const std::string log = test::read_bytes(run.path() + "/metrics.jsonl");
  for (const char* name : {"loss", "rate", "held_out_loss", "consistency", "sparsity", "correlation", "non_negative",
                           "active_features", "effective_rank", "dead_features", "zero_rows", "knn_backbone", "seconds",
                           "images_per_second", "wait_share", "online_accuracy"}) {
    EXPECT_THAT(log, HasSubstr('"' + std::string(name) + '"'));
  }
  EXPECT_THAT(log, HasSubstr("\"kind\":\"epoch\",\"step\":15,\"epoch\":3.0"));
}

}  // namespace
}  // namespace orthant
