#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/io/settings_file.h"
#include "orthant/run/recipe.h"
#include "orthant/sources/open.h"
#include "orthant/views/view.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Settings settings_of(const std::string& toml) { return io::parse_settings(toml, "test"); }

Recipe recipe_of(const std::string& toml) { return make_recipe({{"test", settings_of(toml)}}); }

TEST(FitToData, ASigmaThatChangesNothingIsTold) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 300});
  const auto told = [&](const std::string& toml) {
    const std::vector<SettingsLayer> layers = {{"test", settings_of("[train]\nepochs=1\n" + toml)}};
    Recipe recipe = make_recipe(layers);
    const auto choices = fit_to_data(recipe, layers, *sprites);
    return std::ranges::any_of(choices, [](const Choice& choice) { return choice.key == "projector.depth"; });
  };
  EXPECT_TRUE(told("method='nce'"));
  EXPECT_FALSE(told("method='ce'"));
  EXPECT_FALSE(told("method='nce'\n[projector]\ndepth=1"));
  EXPECT_FALSE(told("method='nce'\n[backbone]\nname='vit-tiny'"));
  EXPECT_FALSE(told("method='nce'\n[activation]\nname='sigmoid'"));
}

TEST(FitToData, BatchesOfAGraphAreOfEdgesOnlyWhereItLearnsByThem) {
  const auto batch = [](const std::string& toml) {
    const std::vector<SettingsLayer> layers = {{"test", settings_of("[data]\nsource='partition:200'\n" + toml)}};
    Recipe recipe = make_recipe(layers);
    fit_to_data(recipe, layers, *open_dataset("partition:200", {.split = "all"}));
    return recipe.train.batch;
  };
  EXPECT_EQ(batch(""), 256);  // of some thousand edges
  EXPECT_EQ(batch("positives='views'"), 200);
}

TEST(FitToData, PicturesAreComparedInFourViewsUnlessSomebodySaysOtherwise) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 60'000});
  const auto fitted = [&](const std::string& toml) {
    const std::vector<SettingsLayer> layers = {{"test", settings_of(toml)}};
    Recipe recipe = make_recipe(layers);
    fit_to_data(recipe, layers, *sprites);
    return recipe;
  };
  for (const std::string method : {"cl", "ncl"}) {
    const Recipe recipe = fitted("[train]\nmethod='" + method + "'");
    EXPECT_EQ(recipe.train.view_count, 4) << method;
    EXPECT_EQ(recipe.train.batch, 128) << method;
    EXPECT_EQ(recipe.optimiser.name, "muon") << method;
    EXPECT_EQ(recipe.optimiser.rate, 0.032) << method;
    EXPECT_EQ(recipe.train.epochs, 10) << method;
  }
  for (const std::string toml : {"[train]\nmethod='ncl-paper'", "[loss]\nname='byol'", "[loss]\nname='spectral'",
                                 "[train]\nview_count=2", "[train]\nmethod='nsupcon'"}) {
    EXPECT_EQ(fitted(toml).train.view_count, 2) << toml;
    EXPECT_EQ(fitted(toml).train.batch, 256) << toml;
    EXPECT_EQ(fitted(toml).train.epochs, 20) << toml;
  }
  const Recipe mine = fitted("[train]\nbatch=64\nepochs=3\n[optimiser]\nrate=0.005");
  EXPECT_EQ(mine.train.view_count, 4);
  EXPECT_EQ(mine.train.batch, 64);
  EXPECT_EQ(mine.train.epochs, 3);
  EXPECT_EQ(mine.optimiser.rate, 0.005);
  EXPECT_EQ(fitted("[train]\nbatch=64").optimiser.rate, 0.016);
  EXPECT_EQ(fitted("[optimiser]\nname='adamw'").optimiser.rate, 0.002);
}

TEST(FitToData, MuonIsForPicturesThatInfonceComparesUnlessSomebodySaysOtherwise) {
  const auto fitted = [&](const std::string& source, const std::string& toml) {
    const std::vector<SettingsLayer> layers = {{"test", settings_of("[data]\nsource='" + source + "'\n" + toml)}};
    Recipe recipe = make_recipe(layers);
    const bool pictures = source == "sprites";
    fit_to_data(recipe, layers,
                *open_dataset(source, {.split = pictures ? "train" : "all", .size = pictures ? 300 : 0}));
    return recipe;
  };
  const std::string cl = "[train]\nmethod='cl'\n";
  EXPECT_EQ(fitted("sprites", "").optimiser.name, "muon");
  EXPECT_EQ(fitted("sprites", "").loss.temperature, 0.07);
  EXPECT_EQ(fitted("sprites", "").projector.out, 1024);
  EXPECT_EQ(fitted("sprites", "").activation.sparsity, 0.87);
  EXPECT_EQ(fitted("sprites", "").activation.name, "relu");
  EXPECT_EQ(fitted("sprites", "").train.activation_warmup, 0.2);
  EXPECT_EQ(fitted("sprites", "").loss.companion, 1);
  EXPECT_EQ(fitted("sprites", "[loss]\ncompanion=0").loss.companion, 0);
  EXPECT_EQ(fitted("sprites", cl).loss.companion, 0);
  EXPECT_EQ(fitted("sprites", "[optimiser]\nname='adamw'").loss.companion, 0);
  EXPECT_EQ(fitted("sprites", "[activation]\nsparsity=0.95").activation.sparsity, 0.95);
  EXPECT_EQ(fitted("sprites", "[activation]\nactive=16").activation.sparsity, 0);
  EXPECT_EQ(fitted("sprites", "[projector]\nout=32").activation.sparsity, 0) << "too few to be held sparse";
  EXPECT_EQ(fitted("sprites", "[activation]\nname='rep_relu'").activation.name, "rep_relu");
  EXPECT_EQ(fitted("sprites", "[activation]\nname='softplus'").projector.out, 256);
  EXPECT_EQ(fitted("sprites", "[optimiser]\nname='adamw'").projector.out, 512);
  EXPECT_EQ(fitted("sprites", cl).loss.temperature, 0.1);
  EXPECT_EQ(fitted("sprites", cl).projector.hidden, 256);
  EXPECT_EQ(fitted("sprites", cl).projector.out, 256);
  EXPECT_EQ(fitted("sprites", cl + "[optimiser]\nname='muon'"), fitted("sprites", cl));
  EXPECT_EQ(fitted("sprites", cl + "[loss]\ntemperature=0.3").loss.temperature, 0.3);
  EXPECT_EQ(fitted("sprites", cl + "[optimiser]\nname='adamw'").loss.temperature, 0.2);
  EXPECT_EQ(fitted("sprites", "[optimiser]\nrate=0.01").optimiser.name, "muon");
  EXPECT_EQ(fitted("sprites", "[optimiser]\nrate=0.01").optimiser.rate, 0.01);
  EXPECT_EQ(fitted("sprites", "[optimiser]\nname='sgd'").optimiser.name, "sgd");
  for (const std::string toml : {"[train]\nmethod='ncl-paper'", "[train]\nmethod='nce'", "[loss]\nname='vicreg'",
                                 "[loss]\nimportance='learned'"}) {
    EXPECT_EQ(fitted("sprites", toml).optimiser.name, "adamw") << toml;
  }
  for (const std::string source : {"topics", "partition"}) {
    EXPECT_EQ(fitted(source, "").optimiser.name, "adamw") << source;
  }
}

TEST(FitToData, WhatAProgramSetBeforeStays) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 300});
  Recipe recipe = make_recipe({});
  recipe.projector.hidden = 64;
  recipe.projector.out = 32;
  recipe.activation.sparsity = 0.5;
  recipe.train.activation_warmup = 0.1;
  recipe.optimiser.rate = 0.003;
  const Recipe before = recipe;
  fit_to_data(recipe, {}, *sprites);
  EXPECT_EQ(recipe.projector, before.projector);
  EXPECT_EQ(recipe.activation.sparsity, 0.5);
  EXPECT_EQ(recipe.train.activation_warmup, 0.1);
  EXPECT_EQ(recipe.optimiser.name, "adamw");
}

TEST(FitToData, ViewsOfSmallPicturesAreSimclrSmallUnlessSomebodySaysOtherwise) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 300});
  const auto fitted = [&](const std::string& toml) {
    const std::vector<SettingsLayer> layers = {{"test", settings_of(toml)}};
    Recipe recipe = make_recipe(layers);
    fit_to_data(recipe, layers, *sprites);
    return recipe;
  };
  const ViewOptions small = view_preset("simclr-small");
  const ViewOptions whole = view_preset("simclr");
  for (const std::string method : {"cl", "ncl"}) {
    const Recipe recipe = fitted("[train]\nmethod='" + method + "'");
    EXPECT_EQ(recipe.train.views, "simclr-small") << method;
    EXPECT_EQ(recipe.views.brightness, small.brightness) << method;
    EXPECT_EQ(recipe.views.hue, small.hue) << method;
    EXPECT_EQ(recipe.views.blur_probability, 0) << method;
    EXPECT_EQ(recipe.views.scale_min, whole.scale_min) << method;
  }
  for (const std::string toml :
       {"[train]\nviews='simclr'", "[train]\nmethod='ncl-paper'", "[views]\nsize=96", "[loss]\nname='moco'"}) {
    EXPECT_EQ(fitted(toml).train.views, "simclr") << toml;
    EXPECT_EQ(fitted(toml).views.brightness, whole.brightness) << toml;
    EXPECT_EQ(fitted(toml).views.blur_probability, whole.blur_probability) << toml;
  }
  const Recipe mine = fitted("[views]\nblur_probability=0.3\nsaturation=0.7");
  EXPECT_EQ(mine.views.blur_probability, 0.3);
  EXPECT_EQ(mine.views.saturation, 0.7);
  EXPECT_EQ(mine.views.contrast, small.contrast);
  EXPECT_EQ(recipe_of(recipe_text(mine)).views, mine.views);
}

TEST(FitToData, TheDataDecideWhatNobodySaid) {
  DataOptions options;
  options.size = 300;
  const DatasetPtr sprites = open_dataset("sprites", options);
  Recipe recipe = make_recipe({});
  fit_to_data(recipe, {}, *sprites);
  EXPECT_EQ(recipe.views.size, sprites->info().height);
  EXPECT_EQ(recipe.backbone.image_size, sprites->info().height);
  EXPECT_EQ(recipe.backbone.channels, 3);
  EXPECT_NE(recipe.views.mean_r, ViewOptions{}.mean_r);

  const std::vector<SettingsLayer> said = {{"flag", settings_of("[views]\nsize = 16\nmean_r = 0.5")}};
  Recipe mine = make_recipe(said);
  fit_to_data(mine, said, *sprites);
  EXPECT_EQ(mine.views.size, 16);
  EXPECT_EQ(mine.views.mean_r, 0.5);
  EXPECT_EQ(model_options(mine).preprocessing.size, 16);
}

TEST(FitToData, SmallDataSetsGetMoreEpochsUnlessTheyAreSaid) {
  DataOptions options;
  options.size = 2560;
  const DatasetPtr sprites = open_dataset("sprites", options);
  Recipe recipe = make_recipe({});
  EXPECT_THAT(fit_to_data(recipe, {}, *sprites),
              ElementsAre(Choice{"train.epochs", "25 epochs, since 2560 items are few"}));
  EXPECT_EQ(recipe.train.epochs, 25);  // 500 steps of 20 a pass
  EXPECT_EQ(recipe.eval.every, 2);
  const std::vector<SettingsLayer> said = {{"flag", settings_of("[train]\nepochs = 7\nbatch = 64")}};
  Recipe mine = make_recipe(said);
  EXPECT_THAT(fit_to_data(mine, said, *sprites), IsEmpty());
  EXPECT_EQ(mine.train.epochs, 7);
}

TEST(FitToData, AWarmUpIsAtMostAFifthOfTheRun) {
  DataOptions options;
  options.size = 300;
  const DatasetPtr sprites = open_dataset("sprites", options);
  const std::vector<SettingsLayer> said = {
      {"flag", settings_of("[train]\nepochs = 20\n[optimiser]\nwarmup_epochs = 10")}};
  Recipe recipe = make_recipe(said);
  EXPECT_THAT(
      fit_to_data(recipe, said, *sprites),
      ElementsAre(Choice{"optimiser.warmup_epochs", "a warm-up of 4 epochs instead of 10: a fifth of the run"}));
  EXPECT_EQ(recipe.optimiser.warmup_epochs, 4);
}

// Mean and deviation of every value of the pictures' views without chance.
std::pair<double, double> moments_of_views(const Recipe& recipe, const Dataset& data) {
  ViewOptions options = view_preset("none", recipe.views.size);
  options.channels = recipe.views.channels;
  options.set_mean(recipe.views.mean());
  options.set_std(recipe.views.std());
  const ViewMaker make(options);
  ViewScratch scratch;
  std::vector<float> view(static_cast<size_t>(options.view_size()));
  double sum = 0, squares = 0, count = 0;
  for (int64_t i = 0; i < data.size(); ++i) {
    make(data.image(i), StreamKey{}, scratch, view);
    for (const float x : view) {
      sum += double{x};
      squares += double{x} * double{x};
      ++count;
    }
  }
  return {sum / count, std::sqrt(squares / count - sum * sum / count / count)};
}

TEST(FitToData, ViewsOfOneChannelAreNormalisedByGreyLevels) {
  DataOptions options;
  options.size = 300;
  const DatasetPtr sprites = open_dataset("sprites", options);
  for (const std::string channels : {"1", "3"}) {
    const std::vector<SettingsLayer> said = {{"flag", settings_of("[views]\nchannels = " + channels)}};
    Recipe recipe = make_recipe(said);
    fit_to_data(recipe, said, *sprites);
    const auto [mean, deviation] = moments_of_views(recipe, *sprites);
    EXPECT_NEAR(mean, 0, 1e-4) << channels;
    EXPECT_NEAR(deviation, 1, 1e-4) << channels;
  }
}

TEST(FitToData, LessThanABatchAndTheWrongBackboneAreRefused) {
  DataOptions options;
  options.size = 20;
  const DatasetPtr few = open_dataset("sprites", options);
  const std::vector<SettingsLayer> said = {{"flag", settings_of("[train]\nbatch = 256")}};
  Recipe recipe = make_recipe(said);
  EXPECT_THAT(message_of([&] { fit_to_data(recipe, said, *few); }),
              HasSubstr("expected at least one batch of 256 items, got 20"));
  Recipe mlp = make_recipe({{"flag", settings_of("[backbone]\nname = 'mlp'\n[train]\nbatch = 4")}});
  EXPECT_THAT(message_of([&] { fit_to_data(mlp, {}, *few); }), HasSubstr("expected vectors for mlp, got pictures"));
}

TEST(FitToData, ABatchThatNobodySaidIsNoLargerThanTheData) {
  const auto fitted = [](int64_t items) {
    DataOptions options;
    options.size = items;
    Recipe recipe = make_recipe({});
    fit_to_data(recipe, {}, *open_dataset("sprites", options));
    return recipe.train.batch;
  };
  EXPECT_EQ(fitted(300), 128);
  EXPECT_EQ(fitted(20), 20);
  EXPECT_EQ(fitted(2), 2);
  EXPECT_THAT(message_of([&] { fitted(1); }),
              HasSubstr("[sprites] expected at least 2 items to tell apart, got 1 in the split train"));
}

}  // namespace
}  // namespace orthant
