#include <gmock/gmock.h>

#include <cmath>

#include "learn/train/embed.h"
#include "orthant/core/features.h"
#include "orthant/sources/open.h"
#include "orthant/texts/topics.h"
#include "orthant/words/bag_reader.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

TrainingData topics(int64_t train, int64_t held_out) {
  return {make_topics({.size = train}), make_topics({.size = held_out, .split = "test"})};
}

Recipe small_recipe(const TrainingData& data, const std::vector<SettingsLayer>& layers = {}) {
  Recipe recipe = make_recipe(layers);
  recipe.train.threads = 1;
  recipe.train.epochs = 3;
  recipe.text.buckets = 1024;
  fit_to_data(recipe, layers, *data.train);
  return recipe;
}

void train_all(Trainer& trainer) {
  for (; !trainer.finished(); trainer.end_epoch()) {
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
  }
}

TEST(Texts, TrainWithNothingSetAndFindPlantedTopics) {
  const TrainingData data = topics(2048, 400);
  const Recipe recipe = small_recipe(data);
  EXPECT_EQ(recipe.backbone.name, "text-bag");
  ContrastiveTask task(recipe, data);
  Trainer trainer(task, recipe.optimiser, 1);
  train_all(trainer);
  const Scalars measures = task.evaluate({}).measures;
  EXPECT_GT(value_of(measures, "knn_projector"), 0.8);
  EXPECT_GT(value_of(measures, "sparsity"), 0.5);
}

TEST(Texts, GoOnBitForBit) {
  const TrainingData data = topics(96, 16);
  Recipe recipe =
      small_recipe(data, {{"test", {{"train.batch", int64_t{16}}, {"data.text_view", std::string("sentences")}}}});
  ContrastiveTask whole(recipe, data);
  Trainer straight(whole, recipe.optimiser, 1);
  ContrastiveTask halted(recipe, data);
  Trainer first(halted, recipe.optimiser, 1);
  first.begin_epoch();
  for (int step = 0; step < 4; ++step) {
    first.backward();
    first.step();
  }
  ContrastiveTask resumed(recipe, data);
  Trainer second(resumed, recipe.optimiser, 1);
  second.restore(first.save());
  train_all(straight);
  train_all(second);
  const Checkpoint a = straight.save();
  const Checkpoint b = second.save();
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, b.tensors.at(name).bytes)) << name;
  }
}

// The reader without LibTorch against the network itself.
TEST(BagReader, SharesOfWordsAddUpToTheFeature) {
  for (const bool batch_norm : {false, true}) {
    const TrainingData data = topics(64, 8);
    Recipe recipe = small_recipe(data, {{"test",
                                         {{"train.batch", int64_t{32}},
                                          {"projector.batch_norm", batch_norm},
                                          {"text.char_max", int64_t{batch_norm ? 4 : 0}},
                                          {"text.word_ngrams", int64_t{2}}}}});
    ContrastiveTask task(recipe, data);
    Trainer trainer(task, recipe.optimiser, 1);
    train_all(trainer);
    const test::TemporaryFolder folder;
    task.model().save(folder / "model.safetensors");
    const auto reader = words::BagReader::open(folder / "model.safetensors");
    ASSERT_NE(reader, nullptr);
    Model model = Model::load(folder / "model.safetensors");
    const Embeddings embeddings = embed(model, data.held_out);
    const Features features(embeddings);
    ASSERT_EQ(reader->features(), features.cols());
    for (int64_t i = 0; i < features.rows(); ++i) {
      std::vector<float> row(static_cast<size_t>(features.cols()));
      features.visit_row(i, [&](int64_t f, float value) { row[static_cast<size_t>(f)] = value; });
      const std::vector<int64_t> asked = {0, 7, 100, features.cols() - 1};
      for (const words::FeatureParts& parts : reader->take_apart(data.held_out->texts(i).front(), asked)) {
        double sum = parts.rest;
        for (const words::WordShare& word : parts.words) sum += word.share;
        EXPECT_NEAR(sum, parts.value, 1e-9);
        EXPECT_NEAR(std::max(parts.value, 0.0), row[static_cast<size_t>(parts.feature)], 1e-4);
      }
    }
  }
}

TEST(BagReader, WithoutBiasesWordsAreAllThereIs) {
  ModelOptions options;
  options.backbone.name = "text-bag";
  options.text.buckets = 64;
  options.projector.out = 8;
  Model model(options, 3);
  model.visit_parameters([](const std::string& name, at::Tensor& tensor) {
    if (name.ends_with("bias")) tensor.detach().zero_();
  });
  const test::TemporaryFolder folder;
  model.save(folder / "model.safetensors");
  const auto reader = words::BagReader::open(folder / "model.safetensors");
  for (const words::FeatureParts& parts : reader->take_apart("the quick brown fox", std::vector<int64_t>{0, 1, 2})) {
    EXPECT_NEAR(parts.rest, 0, 1e-6 * std::abs(parts.value) + 1e-12);
    EXPECT_EQ(parts.words.size(), 4);
  }
  const auto none = reader->take_apart("...", std::vector<int64_t>{0});
  EXPECT_TRUE(none.front().words.empty());
}

TEST(BagReader, IsOfBagsAlone) {
  ModelOptions options;
  options.backbone.name = "mlp";
  options.backbone.dims = 3;
  Model model(options, 1);
  const test::TemporaryFolder folder;
  model.save(folder / "model.safetensors");
  EXPECT_EQ(words::BagReader::open(folder / "model.safetensors"), nullptr);
}

}  // namespace
}  // namespace orthant
