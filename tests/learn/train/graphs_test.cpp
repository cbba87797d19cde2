#include <gmock/gmock.h>

#include "learn/train/embed.h"
#include "orthant/core/features.h"
#include "orthant/graph/partition.h"
#include "orthant/io/npy.h"
#include "orthant/measure/communities.h"
#include "orthant/run/training_data.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

TrainingData whole(const PartitionOptions& options) {
  TrainingData data{make_partition(options, "all"), make_partition(options, "test")};
  data.positives = data.train->positives();
  return data;
}

Recipe recipe_for(const TrainingData& data, const Settings& settings) {
  const std::vector<SettingsLayer> layers = {{"test", settings}};
  Recipe recipe = make_recipe(layers);
  recipe.train.threads = 1;
  fit_to_data(recipe, layers, *data.train);
  return recipe;
}

void train_all(Trainer& trainer) {
  for (; !trainer.finished(); trainer.end_epoch()) {
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
  }
}

double found_nmi(const PartitionOptions& options, int64_t features) {
  const TrainingData data = whole(options);
  const Recipe recipe =
      recipe_for(data, {{"projector.out", features}, {"projector.hidden", int64_t{64}}, {"train.epochs", int64_t{20}}});
  ContrastiveTask task(recipe, data);
  Trainer trainer(task, recipe.optimiser, 1);
  train_all(trainer);
  const Embeddings embeddings = embed(task.model(), data.train);
  return measure::community_agreement(measure::communities(Features(embeddings)), embeddings.labels)->nmi;
}

TEST(Graphs, FindWhatWasPlantedFarAboveTheThreshold) {
  const PartitionOptions options{.nodes = 400, .groups = 4, .inside = 15, .outside = 2, .features = 8, .signal = 2};
  EXPECT_GT(partition_snr(options), 3);
  EXPECT_GT(found_nmi(options, 4), 0.9);
}

TEST(Graphs, GoOnBitForBit) {
  const TrainingData data = whole({.nodes = 60, .groups = 3, .inside = 6, .outside = 1, .features = 3});
  Recipe recipe = recipe_for(data, {{"train.batch", int64_t{32}}, {"train.epochs", int64_t{2}}});
  EXPECT_EQ(recipe.backbone.name, "mlp");
  ContrastiveTask a(recipe, data);
  ContrastiveTask b(recipe, data);
  ContrastiveTask c(recipe, data);
  Trainer straight(a, recipe.optimiser, 1);
  Trainer first(b, recipe.optimiser, 1);
  Trainer second(c, recipe.optimiser, 1);
  first.begin_epoch();
  for (int step = 0; step < 3; ++step) {
    first.backward();
    first.step();
  }
  second.restore(first.save());
  train_all(straight);
  train_all(second);
  const Checkpoint left = straight.save();
  const Checkpoint right = second.save();
  for (const auto& [name, tensor] : left.tensors) {
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, right.tensors.at(name).bytes)) << name;
  }
}

TEST(Graphs, AreLearnedFromAsAWhole) {
  Recipe recipe = make_recipe({{"test", {{"data.source", std::string("partition:400")}}}});
  EXPECT_EQ(recipe.data.split, "all");
  const TrainingData data = open_training_data(recipe);
  EXPECT_EQ(data.train->size(), 400);
  ASSERT_NE(data.positives, nullptr);
  recipe.data.split = "train";
  EXPECT_THAT(test::message_of([&] { open_training_data(recipe); }), HasSubstr("expected all of a graph"));
}

TEST(Table, IsForItsOwnGraphAlone) {
  ModelOptions options;
  options.backbone = {.name = "table", .dims = 60, .hidden = 8};
  Model model(options, 1);
  const auto data = make_partition({.nodes = 60, .groups = 3, .inside = 6, .outside = 1, .features = 0}, "all");
  EXPECT_EQ(embed(model, data).rows(), 60);
  const auto other = make_partition({.nodes = 30, .groups = 3, .inside = 4, .outside = 1, .features = 0}, "all");
  EXPECT_THAT(test::message_of([&] { embed(model, other); }), HasSubstr("expected the graph of 60 nodes"));
  const auto featured = make_partition({.nodes = 60, .groups = 3, .inside = 6, .outside = 1, .features = 3}, "all");
  EXPECT_THAT(test::message_of([&] { embed(model, featured); }), HasSubstr("got others"));
}

class PositivesTest : public ::testing::Test {
 protected:
  // Rows 2k and 2k + 1 are alike; classes are the remainders by 2.
  PositivesTest() {
    std::vector<float> values;
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < 40; ++i) {
      const double angle = 0.3 * static_cast<double>(i / 2) + 0.001 * static_cast<double>(i % 2);
      values.insert(values.end(), {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
      labels.push_back(i % 2);
    }
    io::write_npy(folder / "v.npy", io::array_from(std::move(values), {40, 2}));
    io::write_npy(folder / "y.npy", io::array_from(std::move(labels), {40}));
    recipe.data.source = "npy:" + (folder / "v.npy") + "," + (folder / "y.npy");
    recipe.data.split = "all";
  }

  std::array<int64_t, 2> draw(const TrainingData& data, int64_t entry) const { return data.positives->draw(entry, {}); }

  test::TemporaryFolder folder;
  Recipe recipe = make_recipe({});
};

TEST_F(PositivesTest, OfVectorsAreNearestOrOfAClassOrPairsOfAFile) {
  EXPECT_EQ(open_training_data(recipe).positives, nullptr);
  recipe.data.positives = "nearest";
  recipe.data.neighbours = 1;
  const TrainingData nearest = open_training_data(recipe);
  ASSERT_EQ(nearest.positives->size(), 40);
  for (int64_t e = 0; e < 40; ++e) EXPECT_EQ(draw(nearest, e)[0] / 2, draw(nearest, e)[1] / 2);
  recipe.data.positives = "labels";
  const TrainingData labels = open_training_data(recipe);
  for (int64_t e = 0; e < 40; ++e) EXPECT_EQ(draw(labels, e)[0] % 2, draw(labels, e)[1] % 2);
  recipe.data.positives = folder / "p.npy";
  io::write_npy(folder / "p.npy", io::array_from(std::vector<int64_t>{3, 9, 39, 0}, {2, 2}));
  const TrainingData pairs = open_training_data(recipe);
  ASSERT_EQ(pairs.positives->size(), 2);
  EXPECT_EQ(draw(pairs, 0)[0] + draw(pairs, 0)[1], 12);
}

TEST_F(PositivesTest, NoVectorMayBeOtherThanFinite) {
  io::write_npy(folder / "n.npy", io::array_from(std::vector<float>{1, 2, NAN, 4, INFINITY, 6}, {3, 2}));
  recipe.data.source = "npy:" + (folder / "n.npy");
  EXPECT_THAT(test::message_of([&] { open_training_data(recipe); }),
              HasSubstr("expected finite vectors, got NaN or infinity in 2 of 3, the first of them 1"));
}

TEST_F(PositivesTest, RefusesWhatAreNoPairs) {
  const auto refusal = [&](const std::string& positives) {
    recipe.data.positives = positives;
    return test::message_of([&] { open_training_data(recipe); });
  };
  io::write_npy(folder / "far.npy", io::array_from(std::vector<int64_t>{3, 40}, {1, 2}));
  EXPECT_THAT(refusal(folder / "far.npy"), HasSubstr("expected items from 0 to 39, got 40 in pair 0"));
  io::write_npy(folder / "flat.npy", io::array_from(std::vector<int64_t>{3, 4}, {2}));
  EXPECT_THAT(refusal(folder / "flat.npy"), HasSubstr("expected pairs [P, 2] of items' numbers, got (2,)"));
  EXPECT_THAT(refusal("friends"), HasSubstr("expected views, labels, nearest or a .npy of pairs, got friends"));
}

}  // namespace
}  // namespace orthant
