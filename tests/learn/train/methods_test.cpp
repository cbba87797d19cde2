#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/task/evaluation.h"
#include "learn/train/embed.h"
#include "learn/train/loop.h"
#include "learn/train/speed.h"
#include "orthant/sources/open.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Clusters;
using test::loop_options;
using test::Pretraining;
using test::tiny_recipe;

const std::vector<std::string> kMethods = {"moco", "byol", "simsiam", "swav", "companion"};

Recipe method_recipe(const std::string& loss, const std::string& method) {
  Recipe recipe = tiny_recipe();
  recipe.train.method = method;
  if (method == "cl") recipe.activation.name = "none";
  recipe.loss.name = loss == "companion" ? "infonce" : loss;
  recipe.loss.companion = loss == "companion" ? 0.5 : 0;
  recipe.loss.queue = 50;
  recipe.loss.predictor_hidden = 8;
  recipe.loss.swav_prototypes = 6;
  recipe.loss.swav_frozen = 0.3;
  return recipe;
}

void train_until(Trainer& trainer, int64_t step) {
  while (!trainer.finished() && trainer.position().step < step) {
    trainer.begin_epoch();
    while (trainer.position().step < step && trainer.backward()) trainer.step();
    if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
  }
}

void expect_same(const Checkpoint& a, const Checkpoint& b, const std::string& what) {
  EXPECT_EQ(a.facts, b.facts) << what;
  ASSERT_EQ(a.tensors.size(), b.tensors.size()) << what;
  for (const auto& [name, tensor] : a.tensors) {
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, b.tensors.at(name).bytes)) << what << " " << name;
  }
}

Matrix dense_of(const Embeddings& embeddings) {
  return embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                             : std::get<Matrix>(embeddings.features);
}

TEST(Methods, ARestoredTrainerGoesOnBitForBitFromAnyStep) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string& loss : kMethods) {
    for (const std::string method : {"cl", "ncl"}) {
      Recipe recipe = method_recipe(loss, method);
      if (method == "ncl") recipe.train.activation_warmup = 0.5;
      Pretraining uninterrupted(recipe, data);
      train_until(uninterrupted.trainer, 1000);
      ASSERT_TRUE(uninterrupted.trainer.finished());
      for (const int64_t stop : {0, 3, 5, 14}) {
        Pretraining first(recipe, data);
        train_until(first.trainer, stop);
        Pretraining second(recipe, data);
        second.trainer.restore(first.trainer.save());
        train_until(second.trainer, 1000);
        expect_same(second.trainer.save(), uninterrupted.trainer.save(), loss + " " + method);
      }
    }
  }
}

TEST(Methods, PicturesWithBatchNormAlsoGoOnBitForBit) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 48});
  for (const std::string loss : {"moco", "byol"}) {
    Recipe recipe = method_recipe(loss, "ncl");
    recipe.train.epochs = 1;
    recipe.train.batch = 16;
    recipe.backbone = {.name = "conv-mini", .image_size = 16, .width = 8};
    recipe.views.size = 16;
    Pretraining uninterrupted(recipe, sprites);
    train_until(uninterrupted.trainer, 3);
    Pretraining first(recipe, sprites);
    train_until(first.trainer, 2);
    Pretraining second(recipe, sprites);
    second.trainer.restore(first.trainer.save());
    train_until(second.trainer, 3);
    expect_same(second.trainer.save(), uninterrupted.trainer.save(), loss);
  }
}

TEST(Methods, AStoppedRunEndsInTheSameModelWhichIsTheNetworkAlone) {
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(20, 6, 4)};
  for (const std::string& loss : kMethods) {
    const test::TemporaryFolder folder;
    const Recipe recipe = method_recipe(loss, "ncl");
    const RunFolder whole = RunFolder::create(folder / "whole");
    Pretraining uninterrupted(recipe, data);
    EXPECT_EQ(train(uninterrupted.trainer, loop_options(recipe, whole)), Ending::finished);
    const RunFolder run = RunFolder::create(folder / "run");
    Pretraining first(recipe, data);
    TrainListener listener;
    listener.stop = [&] { return first.trainer.position().step == 7; };
    EXPECT_EQ(train(first.trainer, loop_options(recipe, run), listener), Ending::stopped);
    Pretraining second(recipe, data);
    go_back_to_checkpoint(second.trainer, run.path());
    EXPECT_EQ(second.trainer.position().step, 7);
    EXPECT_EQ(train(second.trainer, loop_options(recipe, run)), Ending::finished);
    EXPECT_EQ(test::read_bytes(run.model_file()), test::read_bytes(whole.model_file())) << loss;

    Model saved = Model::load(run.model_file());
    const Matrix a = dense_of(embed(saved, data.train, {.threads = 1}));
    const Matrix b = dense_of(embed(uninterrupted.task.model(), data.train, {.threads = 1}));
    // The file has the gate folded into the last layer, which rounds otherwise.
    EXPECT_THAT(a.values(), ::testing::Pointwise(::testing::FloatNear(1e-5F), b.values())) << loss;
  }
}

TEST(Methods, WeightsThatTrainingStartsFromAreThoseOfTheMomentumNetworkToo) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Recipe recipe = method_recipe("byol", "ncl");
  recipe.loss.momentum = 1;  // it never moves
  Pretraining run(recipe, data);
  Recipe other = recipe;
  other.train.seed = 99;
  Pretraining started(other, data);
  std::vector<at::Tensor> weights;
  run.task.model().visit_parameters([&](const std::string&, at::Tensor& p) { weights.push_back(p.detach().clone()); });
  size_t next = 0;
  started.task.model().visit_parameters([&](const std::string&, at::Tensor& p) { p.detach().copy_(weights[next++]); });
  train_until(started.trainer, 4);
  next = 0;
  std::map<std::string, at::Tensor> state;
  started.task.visit_state([&](const std::string& name, at::Tensor& tensor) { state[name] = tensor; });
  started.task.model().visit_parameters([&](const std::string& name, at::Tensor&) {
    EXPECT_TRUE(at::equal(state.at("objective.momentum." + name), weights[next++])) << name;
  });
}

TEST(Methods, EveryOneLearnsToTellClustersApart) {
  const auto data = std::make_shared<Clusters>(128, 6, 4);
  for (const std::string& loss : kMethods) {
    for (const std::string method : {"cl", "ncl"}) {
      Recipe recipe = method_recipe(loss, method);
      recipe.train.epochs = 20;
      recipe.train.batch = 32;
      recipe.data.vector_noise = 0.1;
      recipe.data.vector_dropout = 0;
      recipe.activation.sparsity = 0;  // of twelve features
      recipe.optimiser = {.name = "adamw", .rate = 0.04, .warmup_epochs = 1};
      Pretraining run(recipe, TrainingData{data, data});
      train_until(run.trainer, 1000);
      const Verdict verdict = run.task.evaluate({});
      EXPECT_GT(value_of(verdict.measures, "knn_backbone"), 0.95) << loss << " " << method;
      EXPECT_TRUE(std::isfinite(value_of(verdict.measures, "held_out_loss"))) << loss << " " << method;
      EXPECT_EQ(value_of(verdict.measures, "non_negative") == 1, method == "ncl") << loss;
      EXPECT_TRUE(verdict.warnings.empty()) << loss << " " << method << ": " << verdict.warnings.front().text;
      EXPECT_TRUE(run.trainer.weights_are_finite());
    }
  }
}

TEST(Methods, ResultsRepeatForTheSameSeedAndThreads) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string& loss : kMethods) {
    const Recipe recipe = method_recipe(loss, "ncl");
    Pretraining a(recipe, data);
    Pretraining b(recipe, data);
    train_until(a.trainer, 1000);
    train_until(b.trainer, 1000);
    expect_same(a.trainer.save(), b.trainer.save(), loss);
  }
}

TEST(Methods, TheirSpeedIsMeasured) {
  const auto data = std::make_shared<Clusters>(64, 6, 4);
  for (const std::string& loss : kMethods) {
    EXPECT_GT(measure_speed(method_recipe(loss, "ncl"), data, 0.01).seconds_per_item, 0) << loss;
  }
}

}  // namespace
}  // namespace orthant
