#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "learn/train/embed.h"
#include "learn/train/loop.h"
#include "orthant/core/features.h"
#include "orthant/core/importance.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Clusters;
using test::loop_options;
using test::Pretraining;
using test::tiny_recipe;

Recipe ranked_recipe(const std::string& loss, const std::string& method, const std::string& optimiser) {
  Recipe recipe = tiny_recipe();
  recipe.train.method = method;
  if (method == "cl") recipe.activation = {.name = "none"};
  recipe.loss.name = loss;
  recipe.loss.importance = "learned";
  recipe.optimiser.name = optimiser;
  recipe.optimiser.rate = usual_rate(optimiser);
  return recipe;
}

void train_until(Trainer& trainer, int64_t step) {
  while (!trainer.finished() && trainer.position().step < step) {
    trainer.begin_epoch();
    while (trainer.position().step < step && trainer.backward()) trainer.step();
    if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
  }
}

// Of the columns.
std::vector<double> lengths(const Embeddings& embeddings) {
  std::vector<double> sums(static_cast<size_t>(embeddings.cols()));
  const Features features(embeddings);
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) { sums[static_cast<size_t>(j)] += double{x} * double{x}; });
  }
  return sums;
}

TEST(LearnedImportance, IsTrained) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string loss : {"infonce", "spectral"}) {
    for (const std::string optimiser : {"adamw", "sgd", "lars"}) {
      Pretraining run(ranked_recipe(loss, "ncl", optimiser), data);
      run.trainer.begin_epoch();
      const auto first = run.trainer.backward();
      ASSERT_TRUE(first);
      EXPECT_NEAR(value_of(*first, "important_features"), 12, 1e-5);
      EXPECT_GT(value_of(*first, "decorrelation"), 0);
      run.trainer.step();
      ASSERT_TRUE(run.trainer.backward());
      run.trainer.step();
      run.task.visit_parameters([&](const std::string& name, at::Tensor& q) {
        if (name != "importance") return;
        EXPECT_NE(q.max().item<double>(), q.min().item<double>()) << loss << " " << optimiser;
      });
      const auto later = run.trainer.backward();
      ASSERT_TRUE(later);
      EXPECT_LT(value_of(*later, "important_features"), 12 - 1e-6) << loss << " " << optimiser;
      EXPECT_FALSE(run.task.decays("importance"));
      EXPECT_TRUE(run.task.decays("projector.0.weight"));
    }
  }
}

TEST(LearnedImportance, GoesOnBitForBitFromAnyStep) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string loss : {"infonce", "spectral"}) {
    for (const std::string method : {"cl", "ncl"}) {
      const Recipe recipe = ranked_recipe(loss, method, method == "cl" ? "lars" : "adamw");
      Pretraining uninterrupted(recipe, data);
      train_until(uninterrupted.trainer, 1000);
      const Checkpoint expected = uninterrupted.trainer.save();
      EXPECT_TRUE(expected.tensors.contains("model.importance"));
      for (const int64_t stop : {0, 3, 14}) {
        Pretraining first(recipe, data);
        train_until(first.trainer, stop);
        Pretraining second(recipe, data);
        second.trainer.restore(first.trainer.save());
        train_until(second.trainer, 1000);
        for (const auto& [name, tensor] : second.trainer.save().tensors) {
          EXPECT_TRUE(std::ranges::equal(tensor.bytes, expected.tensors.at(name).bytes)) << loss << " " << name;
        }
      }
    }
  }
}

TEST(LearnedImportance, ChunksGiveTheGradientOfTheWholeBatch) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Recipe recipe = ranked_recipe("infonce", "cl", "sgd");
  recipe.projector.batch_norm = false;
  Pretraining whole(recipe, data);
  recipe.train.chunk = 5;
  Pretraining pieces(recipe, data);
  for (Pretraining* run : {&whole, &pieces}) {
    run->trainer.begin_epoch();
    ASSERT_TRUE(run->trainer.backward());
  }
  std::map<std::string, at::Tensor> gradients;
  whole.task.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
  ASSERT_TRUE(gradients.contains("importance"));
  pieces.task.visit_parameters([&](const std::string& name, at::Tensor& p) {
    EXPECT_TRUE(at::allclose(gradients.at(name), p.grad(), 1e-3, 1e-6)) << name;
  });
}

// What is measured on held-out data is what the file gives, in another order of columns.
TEST(LearnedImportance, IsInTheModelThatIsMeasuredAndWritten) {
  const test::TemporaryFolder folder;
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  const Recipe recipe = ranked_recipe("infonce", "ncl", "adamw");
  const RunFolder run = RunFolder::create(folder / "run", false);
  Pretraining pretraining(recipe, TrainingData{data, data});
  ASSERT_EQ(train(pretraining.trainer, loop_options(recipe, run)), Ending::finished);
  Model loaded = Model::load(run.model_file());
  const Embeddings written = embed(loaded, data);
  const std::vector<float> learned = importance_of(written);
  EXPECT_EQ(learned, loaded.stated_importance());
  ASSERT_EQ(std::ssize(learned), written.cols());
  EXPECT_TRUE(std::ranges::is_sorted(learned, std::greater<>()));
  EXPECT_GT(learned.front(), learned.back());
  EXPECT_TRUE(importance_of(embed(loaded, data, {.layer = "backbone"})).empty());

  const Embeddings measured = embed(pretraining.task.model(), data);
  EXPECT_TRUE(importance_of(measured).empty());
  std::vector<double> before = lengths(measured);
  std::vector<double> after = lengths(written);
  EXPECT_NE(before, after) << "another order";
  std::ranges::sort(before);
  std::ranges::sort(after);
  for (size_t j = 0; j < before.size(); ++j) EXPECT_NEAR(before[j], after[j], 1e-4 * (1 + before[j]));
}

}  // namespace
}  // namespace orthant
