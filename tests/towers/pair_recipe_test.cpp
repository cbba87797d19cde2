#include "orthant/towers/pair_recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/io/atomic_file.h"
#include "orthant/io/settings_file.h"
#include "orthant/sources/open.h"
#include "orthant/towers/tower_files.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<SettingsLayer> layers_of(const std::string& toml) {
  return {{"pairs", io::parse_settings("[data]\nwith = 'captions'", "test")},
          {"test", io::parse_settings(toml, "test")}};
}

PairRecipe recipe_of(const std::string& toml) { return make_pair_recipe(layers_of(toml)); }

class Vectors : public Dataset {
 public:
  Vectors(int64_t items, int64_t dims) : items_(items), values_(static_cast<size_t>(items * dims), 1.0F) {
    info_.name = "vectors";
    info_.dims = dims;
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return items_; }
  std::span<const float> vector(int64_t i) const override {
    return std::span(values_).subspan(static_cast<size_t>(i * info_.dims), static_cast<size_t>(info_.dims));
  }

 private:
  DatasetInfo info_;
  int64_t items_;
  std::vector<float> values_;
};

TEST(PairRecipe, IsKnownByTheDataThatComesWithTheOther) {
  EXPECT_TRUE(is_of_pairs(io::parse_settings(pair_text(recipe_of("")), "run.toml")));
  EXPECT_FALSE(is_of_pairs(io::parse_settings(recipe_text(make_recipe({})), "run.toml")));
}

TEST(PairRecipe, ItsTextGivesTheSameRecipeBack) {
  const PairRecipe recipe = recipe_of("[loss]\ntemperature = 0.1\n[backbone_b]\nname = 'mlp'\n[optimiser]\nrate = 0.3");
  EXPECT_EQ(make_pair_recipe({{"run.toml", io::parse_settings(pair_text(recipe), "run.toml")}}), recipe);
  EXPECT_THAT(pair_text(recipe), HasSubstr("[backbone_b]"));
}

TEST(PairRecipe, ASettingWithoutATowerIsOneOfBoth) {
  const PairRecipe recipe =
      recipe_of("[projector]\nout = 64\nhidden = 128\n[projector_b]\nhidden = 32\n[views]\nsize = 48");
  EXPECT_EQ(recipe.a.projector.out, 64);
  EXPECT_EQ(recipe.b.projector.out, 64);
  EXPECT_EQ(recipe.a.projector.hidden, 128);
  EXPECT_EQ(recipe.b.projector.hidden, 32);
  EXPECT_EQ(recipe.a.views.size, 48);
  EXPECT_EQ(recipe.b.views.size, 48);
  EXPECT_THAT(pair_keys(), Contains("projector.out"));
  EXPECT_THAT(pair_keys(), Contains("projector_a.out"));
  EXPECT_THAT(pair_keys(), Not(Contains("train.view_count")));
}

TEST(PairRecipe, LaterLayersWinWhetherTheyNameATowerOrNot) {
  const PairRecipe recipe = make_pair_recipe({{"one", {{"data.with", "b"}, {"projector_a.out", int64_t{8}}}},
                                              {"two", {{"projector.out", int64_t{16}}}},
                                              {"three", {{"projector_b.out", int64_t{32}}}}});
  EXPECT_EQ(recipe.a.projector.out, 16);
  EXPECT_EQ(recipe.b.projector.out, 32);
}

TEST(PairRecipe, ViewsAreCropsAndNothingThatWordsMayNameUnlessTheyAreSaid) {
  const PairRecipe recipe = recipe_of("[views_b]\nflip_probability = 0.5");
  EXPECT_EQ(recipe.a.views.scale_min, 0.6);
  EXPECT_EQ(recipe.a.views.flip_probability, 0);
  EXPECT_EQ(recipe.a.views.jitter_probability, 0);
  EXPECT_EQ(recipe.b.views.flip_probability, 0.5);
}

TEST(PairRecipe, TheMethodChoosesSigmaAndTheOptimiserItsRate) {
  EXPECT_EQ(recipe_of("").activation.name, "rep_relu");
  EXPECT_EQ(recipe_of("[train]\nmethod = 'cl'").activation.name, "none");
  EXPECT_EQ(recipe_of("[optimiser]\nname = 'sgd'").optimiser.rate, usual_rate("sgd"));
  EXPECT_THAT(message_of([] { recipe_of("[train]\nmethod='cl'\n[activation]\nname='relu'"); }),
              HasSubstr("expected none with method cl, got relu"));
}

TEST(PairRecipe, WhatContradictsItselfIsRefused) {
  EXPECT_THAT(message_of([] { make_pair_recipe({}); }), HasSubstr("expected data.with"));
  EXPECT_THAT(message_of([] { recipe_of("[train]\nfreeze = 'b'\ninit_from_a = 'run'"); }),
              HasSubstr("expected train.init_from_b, which a frozen tower b starts from, got none"));
  EXPECT_THAT(message_of([] { recipe_of("[train]\nfreeze = 'c'"); }), HasSubstr("'c'"));
  EXPECT_THAT(message_of([] { recipe_of("[projector_c]\nout = 3"); }), HasSubstr("expected a known setting"));
  EXPECT_THAT(message_of([] { recipe_of("[train]\nchunk = 3"); }), HasSubstr("got train.chunk"));
  for (const std::string loss : {"moco", "byol", "simsiam", "swav"}) {
    EXPECT_THAT(message_of([&] { recipe_of("[loss]\nname = '" + loss + "'"); }), HasSubstr("got '" + loss + "'"));
  }
  EXPECT_THAT(message_of([] { recipe_of("[loss]\ntemperature = 0.005\nlearn_temperature = false"); }),
              HasSubstr("expected a fixed temperature of at least 1 / scale_cap, got 0.005 and 100"));
  EXPECT_THAT(message_of([] { recipe_of("[train]\nshared_projector = true\n[projector_b]\nbatch_norm = true"); }),
              HasSubstr("[projector_b] expected no batch_norm in a projector that both towers share"));
  EXPECT_THAT(message_of([] {
                recipe_of(
                    "[train]\nfreeze='both'\ninit_from_a='r'\ninit_from_b='r'\n[projector_a]\ndepth=0\n"
                    "[projector_b]\ndepth=0");
              }),
              HasSubstr("expected a tower or a projector that learns"));
  EXPECT_TRUE(is_frozen(recipe_of("[train]\nfreeze='both'\ninit_from_a='r'\ninit_from_b='r'"), Tower::b));
}

TEST(PairRecipe, EachTowerIsFittedToItsData) {
  DataOptions options;
  options.size = 300;
  const PairedData data = {open_dataset("sprites", options), std::make_shared<Vectors>(300, 9)};
  const auto layers = layers_of("[projector_b]\nout = 96");
  PairRecipe recipe = make_pair_recipe(layers);
  const TowerOptions before = recipe.a;
  const std::vector<Choice> choices = fit_pairs(recipe, layers, data);
  EXPECT_EQ(recipe.a.projector.hidden, before.projector.hidden);
  EXPECT_EQ(recipe.a.views.brightness, before.views.brightness);
  EXPECT_EQ(recipe.a.views.blur_probability, before.views.blur_probability);
  EXPECT_EQ(recipe.a.backbone.name, "conv-mini");
  EXPECT_EQ(recipe.b.backbone.name, "mlp");
  EXPECT_EQ(recipe.b.backbone.dims, 9);
  EXPECT_TRUE(recipe.b.backbone.standardise);
  EXPECT_EQ(recipe.a.projector.out, 96);
  EXPECT_EQ(recipe.b.projector.out, 96);
  EXPECT_NE(recipe.a.views.mean_r, recipe.b.views.mean_r);
  EXPECT_EQ(recipe.loss.temperature, 0.07);
  EXPECT_GT(recipe.train.epochs, 20);
  ASSERT_FALSE(choices.empty());
  EXPECT_EQ(choices.front().key, "train.epochs");
  EXPECT_EQ(std::ranges::count(choices, "train.epochs", &Choice::key), 1);
}

class Texts : public Dataset {
 public:
  Texts() { info_.text = true; }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 300; }
  std::vector<std::string> texts(int64_t) const override { return {"a text"}; }

 private:
  DatasetInfo info_;
};

TEST(PairRecipe, TextsGetANetworkOfTextsAndATransformerFewerWords) {
  const PairedData data = {std::make_shared<Vectors>(300, 5), std::make_shared<Texts>()};
  const auto fitted = [&](const std::string& toml) {
    const auto layers = layers_of(toml);
    PairRecipe recipe = make_pair_recipe(layers);
    fit_pairs(recipe, layers, data);
    return recipe;
  };
  EXPECT_EQ(fitted("").b.backbone.name, "text-bag");
  EXPECT_EQ(fitted("").b.text.max_words, 256);
  EXPECT_EQ(fitted("[backbone_b]\nname = 'text-transformer'").b.text.max_words, 64);
  EXPECT_EQ(fitted("[backbone_b]\nname = 'text-transformer'\n[text]\nmax_words = 99").b.text.max_words, 99);
  EXPECT_EQ(tower_model(fitted("[text_b]\nbuckets = 77"), Tower::b).text.buckets, 77);
  EXPECT_THAT(message_of([&] { fitted("[backbone_b]\nname = 'mlp'"); }),
              HasSubstr("got texts, which text-bag is for (backbone_b.name)"));
  EXPECT_THAT(message_of([&] { fitted("[backbone_a]\nname = 'text-bag'"); }), HasSubstr("(backbone_a.name)"));
}

TEST(PairRecipe, DataAndTowersThatDoNotGoTogetherAreRefusedByTheirKeys) {
  const PairedData data = {std::make_shared<Vectors>(300, 5), std::make_shared<Vectors>(300, 9)};
  const auto fit = [&](const std::string& toml) {
    const auto layers = layers_of(toml);
    PairRecipe recipe = make_pair_recipe(layers);
    fit_pairs(recipe, layers, data);
  };
  EXPECT_THAT(message_of([&] { fit("[backbone_b]\nname = 'conv-mini'"); }),
              HasSubstr("[captions] expected pictures for conv-mini, got vectors, which mlp is for (backbone_b.name)"));
  EXPECT_THAT(message_of([&] { fit("[projector_a]\nout = 8\n[projector_b]\nout = 9"); }),
              HasSubstr("projectors that end equally wide, got projector_a.out = 8 and projector_b.out = 9"));
}

TEST(PairRecipe, DifferencesLeaveOutWhatIsHarmless) {
  const PairRecipe before = recipe_of("");
  EXPECT_THAT(pair_differences(before, recipe_of("[train]\nthreads = 7\n[eval]\nsize = 9")), IsEmpty());
  EXPECT_THAT(pair_differences(before, recipe_of("[projector]\nout = 9")),
              ElementsAre("projector_a.out: 256 -> 9", "projector_b.out: 256 -> 9"));
}

TEST(PairRecipe, AModelsNetworkBecomesSettingsOfATower) {
  ModelOptions model;
  model.backbone = {.name = "mlp", .dims = 7, .hidden = 33};
  const Settings settings = tower_settings(model, Tower::b);
  EXPECT_EQ(to_string(settings.at("backbone_b.hidden")), "33");
  EXPECT_TRUE(settings.contains("views_b.size"));
  EXPECT_TRUE(settings.contains("text_b.hash"));
  EXPECT_FALSE(settings.contains("backbone.hidden"));
  const PairRecipe recipe = make_pair_recipe({{"model", settings}, {"flag", {{"data.with", "x"}}}});
  EXPECT_EQ(recipe.b.backbone.hidden, 33);
  EXPECT_EQ(recipe.a.backbone, BackboneOptions{});
  EXPECT_EQ(tower_model(recipe, Tower::b).notes.at("tower"), "b");
  EXPECT_EQ(tower_model(recipe, Tower::b).notes.at("data"), "x");
}

TEST(TowerFiles, ARunOfOneTowerHasNoSecond) {
  const test::TemporaryFolder folder;
  io::write_file(RunPaths(folder.path()).recipe_file(), recipe_text(make_recipe({})));
  EXPECT_EQ(tower_file(RunPaths(folder.path()), Tower::a), RunPaths(folder.path()).model_file());
  EXPECT_THAT(message_of([&] { tower_file(RunPaths(folder.path()), Tower::b); }),
              HasSubstr("expected a run of two towers for tower b, got a run of one"));
}

}  // namespace
}  // namespace orthant
