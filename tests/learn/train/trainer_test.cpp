#include "learn/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "learn/train/embed.h"
#include "learn/train/evaluation.h"
#include "learn/train/optimiser.h"
#include "learn/train/pass.h"
#include "learn/train/session.h"
#include "orthant/io/atomic_file.h"
#include "orthant/sources/open.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Clusters;
using test::formula;
using test::tiny_recipe;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
    while (done < steps && trainer.step()) ++done;
    if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
  }
}

TEST(Training, TenStepsOfATinyModelAreThoseOfPyTorch) {
  const auto golden = test::train_golden();
  for (const auto& curve : golden["curves"]) {
    ModelOptions options;
    options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
    options.projector = {.hidden = 8, .out = 5, .depth = 2, .batch_norm = true};
    options.activation.name = curve["activation"];
    Model model(options);
    model.train(true);
    const std::vector<std::string> names = golden["parameters"];
    model.visit_parameters([&](const std::string& name, at::Tensor& weights) {
      const auto found = std::ranges::find(names, name);
      ASSERT_NE(found, names.end()) << name;
      at::Tensor values = formula(weights.sizes().vec(), found - names.begin());
      if (name == "projector.1.weight") values += 1;
      weights.detach().copy_(values);
    });
    OptimiserOptions following;
    following.name = curve["optimiser"];
    following.weight_decay = 1e-2;
    Optimiser optimiser([&](const TensorVisitor& visit) { model.visit_parameters(visit); }, following, 1);
    const at::Tensor batch = 2 * formula({8, 6}, 50);
    for (const double expected : curve["losses"]) {
      optimiser.clear_gradients();
      const Pass pass = forward_backward(model, batch, {});
      EXPECT_NEAR(pass.loss.value, expected, 1e-4) << following.name;
      optimiser.step(0.005);
    }
  }
}

TEST(Training, ChunksGiveTheGradientOfTheWholeBatch) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5, .depth = 2};
  Model whole(options, 3);
  Model pieces(options, 3);
  const at::Tensor batch = 2 * formula({12, 6}, 7);
  const Pass a = forward_backward(whole, batch, {});
  const Pass b = forward_backward(pieces, batch, {.chunk = 5});
  EXPECT_NEAR(a.loss.value, b.loss.value, 1e-6);
  EXPECT_TRUE(at::allclose(a.features, b.features, 1e-5, 1e-6));
  std::map<std::string, at::Tensor> gradients;
  whole.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
  pieces.visit_parameters([&](const std::string& name, at::Tensor& p) {
    EXPECT_TRUE(at::allclose(gradients.at(name), p.grad(), 1e-4, 1e-6)) << name;
  });
}

TEST(Training, ChunksUpdateBatchNormOncePerPiece) {
  Recipe recipe = tiny_recipe();
  recipe.train.chunk = 8;
  Trainer trainer(recipe, std::make_shared<Clusters>(32, 6, 4));
  trainer.begin_epoch();
  ASSERT_TRUE(trainer.step().has_value());
  trainer.model().visit_buffers([](const std::string& name, at::Tensor& buffer) {
    if (name.ends_with("num_batches_tracked")) {
      EXPECT_EQ(buffer.item<int64_t>(), 2) << name;
    }
  });
}

TEST(Training, ARestoredTrainerGoesOnBitForBitFromAnyStep) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string optimiser : {"lars", "adamw"}) {
    Recipe recipe = tiny_recipe();
    recipe.optimiser.name = optimiser;
    recipe.train.activation_warmup = 0.5;
    Trainer uninterrupted(recipe, data);
    train_steps(uninterrupted, 1000);
    ASSERT_TRUE(uninterrupted.finished());
    const Checkpoint expected = uninterrupted.save();
    for (const int64_t stop : {0, 3, 5, 14}) {
      Trainer first(recipe, data);
      train_steps(first, stop);
      Trainer second(recipe, data);
      second.restore(first.save());
      EXPECT_EQ(second.position().step, stop);
      train_steps(second, 1000);
      expect_same(second.save(), expected);
    }
  }
}

TEST(Training, PicturesWithBatchNormAlsoGoOnBitForBit) {
  DataOptions options;
  options.size = 48;
  const DatasetPtr sprites = open_dataset("sprites", options);
  Recipe recipe = tiny_recipe();
  recipe.train.epochs = 1;
  recipe.train.batch = 16;
  recipe.backbone = {.name = "conv-mini", .image_size = 16, .width = 8};
  recipe.views.size = 16;
  Trainer uninterrupted(recipe, sprites);
  train_steps(uninterrupted, 3);
  Trainer first(recipe, sprites);
  train_steps(first, 2);
  Trainer second(recipe, sprites);
  second.restore(first.save());
  train_steps(second, 1);
  expect_same(second.save(), uninterrupted.save());
}

TEST(Training, ACheckpointOfAnotherNetworkIsRefused) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Trainer trainer(tiny_recipe(), data);
  Recipe other = tiny_recipe();
  other.projector.out = 9;
  Trainer different(other, data);
  EXPECT_THAT(test::message_of([&] { different.restore(trainer.save()); }), HasSubstr("a different network"));
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
  Trainer trainer(recipe, data);
  train_steps(trainer, 1000);
  const Evaluation after = evaluate(trainer.model(), recipe, data, data);
  EXPECT_GT(*after.knn_backbone, 0.95);
  EXPECT_GT(after.statistics.sparsity, 0.2);
  EXPECT_EQ(after.statistics.non_negative, 1);
  EXPECT_GT(after.statistics.consistency, 0.4);
}

TEST(Training, AnActivationWarmUpGoesFromSignedFeaturesToNonNegativeOnes) {
  Recipe recipe = tiny_recipe();
  recipe.train.activation_warmup = 0.5;
  Trainer trainer(recipe, std::make_shared<Clusters>(64, 6, 4));
  std::vector<StepResult> steps;
  while (!trainer.finished()) {
    trainer.begin_epoch();
    while (const auto result = trainer.step()) steps.push_back(*result);
    trainer.end_epoch();
  }
  const auto half = static_cast<double>(steps.size()) / 2;
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(steps[i].blend, std::min(1.0, static_cast<double>(i) / half), 1e-9) << i;
  }
  EXPECT_EQ(steps.front().sparsity, 0);
  EXPECT_GT(steps.back().sparsity, 0.1);
}

TEST(Training, ALossThatIsNoNumberIsToldInWordsAndGoodWeightsAreKept) {
  const test::TemporaryFolder folder;
  Recipe recipe = tiny_recipe();
  recipe.optimiser = {.name = "sgd", .rate = 1e6, .warmup_epochs = 0};
  recipe.loss.name = "spectral";
  recipe.activation.name = "none";
  recipe.train.checkpoint_steps = 1;
  recipe.train.epochs = 50;
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(40, 6, 4)};
  const RunFolder run = RunFolder::create(folder / "run");
  Trainer trainer(recipe, data.train);
  EXPECT_THAT(test::message_of([&] { train(trainer, data, run); }), HasSubstr("the last good checkpoint is kept"));
  Trainer kept(recipe, data.train);
  const auto found = read_checkpoint(run.checkpoint_folder());
  ASSERT_TRUE(found) << "it must diverge after its first checkpoint, not before";
  kept.restore(found->checkpoint);
  EXPECT_GT(kept.position().step, 0);
  EXPECT_TRUE(kept.weights_are_finite());
}

TEST(Training, AStoppedSessionEndsLikeAnUninterruptedOne) {
  const test::TemporaryFolder folder;
  const Recipe recipe = tiny_recipe();
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(20, 6, 4)};
  const RunFolder whole = RunFolder::create(folder / "whole");
  Trainer uninterrupted(recipe, data.train);
  EXPECT_EQ(train(uninterrupted, data, whole), Ending::finished);

  const RunFolder run = RunFolder::create(folder / "run");
  Trainer first(recipe, data.train);
  SessionListener stop;
  stop.step = [](const Position& position, const StepResult&) { return position.step != 7; };
  EXPECT_EQ(train(first, data, run, stop), Ending::stopped);
  Trainer second(recipe, data.train);
  const auto found = read_checkpoint(run.checkpoint_folder());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->step, 7);
  second.restore(found->checkpoint);
  EXPECT_EQ(train(second, data, run), Ending::finished);
  EXPECT_EQ(test::read_bytes(run.model_file()), test::read_bytes(whole.model_file()));
}

TEST(Training, TheLogTellsEveryEpochWithItsMeasures) {
  const test::TemporaryFolder folder;
  const TrainingData data = {std::make_shared<Clusters>(40, 6, 4), std::make_shared<Clusters>(20, 6, 4)};
  const RunFolder run = RunFolder::create(folder / "run");
  Trainer trainer(tiny_recipe(), data.train);
  train(trainer, data, run);
  const std::string log = test::read_bytes(run.path() + "/metrics.jsonl");
  for (const char* name : {"loss", "rate", "held_out_loss", "consistency", "sparsity", "correlation", "non_negative",
                           "active_features", "effective_rank", "dead_features", "zero_rows", "knn_backbone", "seconds",
                           "images_per_second", "wait_share", "online_accuracy"}) {
    EXPECT_THAT(log, HasSubstr('"' + std::string(name) + '"'));
  }
  EXPECT_THAT(log, HasSubstr("\"kind\":\"epoch\",\"step\":15,\"epoch\":3.0"));
}

TEST(Warnings, SayWhatIsWrongAndWhatToDo) {
  const Recipe recipe = tiny_recipe();
  Evaluation evaluation;
  evaluation.items = 100;
  evaluation.features = 10;
  EXPECT_THAT(warnings(evaluation, recipe), IsEmpty());
  evaluation.negative_cosine = 0.99;
  evaluation.statistics.dead_features = 10;
  evaluation.statistics.zero_rows = 50;
  const auto lines = warnings(evaluation, recipe);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr("collapse"));
  EXPECT_THAT(lines[1], HasSubstr("10 of 10"));
  EXPECT_THAT(lines[2], HasSubstr("50 %"));
}

}  // namespace
}  // namespace orthant
