#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "orthant/io/settings_file.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/run/schedule.h"
#include "orthant/run/supervised_data.h"
#include "tests/learn/train/probe_support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using test::ProbeFolder;
using ::testing::HasSubstr;

ModelOptions picture_model() {
  ModelOptions model;
  model.preprocessing.size = 24;
  model.preprocessing.channels = 1;
  model.notes["data"] = "sprites";
  return model;
}

SupervisedRecipe made_of(const Settings& settings) {
  return make_supervised_recipe({{"test", settings}}, picture_model());
}

TEST(SupervisedRecipe, TakesDataAndInputFromTheModel) {
  const SupervisedRecipe recipe = made_of({});
  EXPECT_EQ(recipe.data.source, "sprites");
  EXPECT_EQ(recipe.views.size, 24);
  EXPECT_EQ(recipe.views.channels, 1);
  EXPECT_EQ(recipe.views.crop, "random");
  EXPECT_DOUBLE_EQ(recipe.views.scale_min, 0.08);
  EXPECT_DOUBLE_EQ(recipe.views.jitter_probability, 0);
  EXPECT_EQ(recipe.train.solver, "lbfgs");
  EXPECT_EQ(recipe.train.epochs, 50);
}

TEST(SupervisedRecipe, FinetuningIsAdamwForThirtyEpochs) {
  const SupervisedRecipe recipe = made_of({{"train.task", std::string("finetune")}});
  EXPECT_EQ(recipe.train.solver, "adamw");
  EXPECT_EQ(recipe.train.epochs, 30);
  EXPECT_DOUBLE_EQ(recipe.optimiser.rate, 0.001);
}

TEST(SupervisedRecipe, SolverAndOptimiserAreOneThing) {
  EXPECT_EQ(made_of({{"train.solver", std::string("sgd")}}).optimiser.name, "sgd");
  EXPECT_EQ(made_of({{"optimiser.name", std::string("adamw")}}).train.solver, "adamw");
  EXPECT_DOUBLE_EQ(made_of({{"train.solver", std::string("lars")}}).optimiser.rate, 0.4);
}

TEST(SupervisedRecipe, ReadsBackWhatItWrites) {
  const SupervisedRecipe recipe = made_of({{"train.label_noise", 0.1}, {"train.ood", std::string("fog:3")}});
  const Settings settings = io::parse_settings(supervised_text(recipe), "run.toml");
  EXPECT_TRUE(is_supervised(settings));
  EXPECT_EQ(made_of(settings), recipe);
}

TEST(SupervisedRecipe, RejectsWhatDoesNotGoTogether) {
  const auto message = [](const Settings& settings) { return message_of([&] { made_of(settings); }); };
  EXPECT_THAT(message({{"train.layer", std::string("head")}}), HasSubstr("backbone, projector"));
  EXPECT_THAT(message({{"train.label_fraction", 0.0}}), HasSubstr("label_fraction"));
  EXPECT_THAT(message({{"train.method", std::string("ncl")}}), HasSubstr("train.method"));
  EXPECT_THAT(message({{"views.size", int64_t{32}}}), HasSubstr("[views] expected 1 x 24 x 24"));
  EXPECT_THAT(message({{"views.channels", int64_t{3}}}), HasSubstr("as the model takes it, got 3 x 24 x 24"));
  EXPECT_THAT(message({{"views.mean_r", 0.0}}), HasSubstr("mean and deviation"));
  const Setting finetune = std::string("finetune");
  EXPECT_THAT(message({{"train.task", finetune}, {"train.solver", std::string("lbfgs")}}), HasSubstr("got lbfgs"));
  EXPECT_THAT(message({{"train.task", finetune}, {"train.layer", std::string("projector")}}), HasSubstr("backbone"));
  EXPECT_THAT(message_of([] { make_supervised_recipe({}, ModelOptions{}); }), HasSubstr("expected data.source"));
}

TEST(SupervisedRecipe, PublishedOnesAreUnderstood) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORTHANT_SOURCE_DIR "/recipes")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("probe-") && !name.starts_with("finetune-")) continue;
    Settings settings = io::read_settings(entry.path().string());
    settings["train.task"] = std::string(name.starts_with("probe-") ? "probe" : "finetune");
    const SupervisedRecipe recipe = made_of(settings);
    EXPECT_NE(recipe.train.solver, "lbfgs") << name;
    ++found;
    if (!name.ends_with("-imagenet100.toml")) continue;
    for (const int64_t batch : {recipe.train.batch, int64_t{128}}) {  // the published rate is constant at any batch
      const Schedule schedule = make_schedule(recipe.optimiser, batch, 100, recipe.train.epochs);
      for (const int64_t step : {int64_t{0}, schedule.total / 2, schedule.total - 1}) {
        EXPECT_EQ(schedule.at(step), static_cast<double>(batch) / 256);
      }
    }
  }
  EXPECT_EQ(found, 4);
}

std::vector<std::string> ids_of(const Dataset& data) {
  std::vector<std::string> ids;
  for (int64_t i = 0; i < data.size(); ++i) ids.push_back(data.id(i));
  return ids;
}

TEST(SupervisedData, TheShareOfLabelsIsBalancedAndExact) {
  const ProbeFolder folder;
  const SupervisedRecipe recipe = folder.recipe({{"train.label_fraction", 0.1}});
  const SupervisedData data = open_supervised_data(recipe);
  const DatasetPtr items = training_items(recipe, data.train, 1);
  std::map<int64_t, int> counts;
  for (const int64_t label : labels_of(*items)) ++counts[label];
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [label, count] : counts) EXPECT_EQ(count, 5) << label;  // round(0.1 * 216 / 4)
  EXPECT_EQ(ids_of(*items), ids_of(*training_items(recipe, data.train, 1)));
  EXPECT_NE(ids_of(*items), ids_of(*training_items(recipe, data.train, 2)));
}

TEST(SupervisedData, TheShareOfWrongLabelsIsExactAndOnlyInTraining) {
  const ProbeFolder folder;
  const SupervisedRecipe recipe = folder.recipe({{"train.label_noise", 0.25}, {"train.label_fraction", 0.5}});
  const SupervisedData data = open_supervised_data(recipe);
  const DatasetPtr items = training_items(recipe, data.train, 1);
  std::map<std::string, int64_t> truth;
  for (int64_t i = 0; i < data.train->size(); ++i) truth[data.train->id(i)] = data.train->label(i);
  int wrong = 0;
  for (int64_t i = 0; i < items->size(); ++i) wrong += items->label(i) != truth.at(items->id(i));
  EXPECT_EQ(items->size(), 108);
  EXPECT_EQ(wrong, 27);
}

TEST(SupervisedData, RejectsDataWithoutLabelsOrWithOneClass) {
  const ProbeFolder folder;
  const auto message = [&](const std::string& source) {
    return message_of([&] { open_supervised_data(folder.recipe({{"data.source", source}})); });
  };
  EXPECT_THAT(message(folder.vectors("")), HasSubstr("expected labels in the split train, got none"));
  EXPECT_THAT(message(folder.vectors("one.npy")), HasSubstr("expected at least two classes to tell apart, got one"));
}

}  // namespace
}  // namespace orthant
