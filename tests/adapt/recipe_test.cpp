#include "orthant/adapt/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/io/settings_file.h"
#include "tests/support/message_of.h"

namespace orthant::adapt {
namespace {

using ::orthant::test::message_of;
using ::testing::HasSubstr;

AdaptRecipe recipe_of(const Settings& settings) { return make_adapt_recipe({{"test", settings}}); }

TEST(AdaptRecipe, ChoosesWhatNobodySaidFromTheData) {
  AdaptRecipe recipe = recipe_of({});
  const auto choices = fit_to_rows(recipe, {.rows = 50000, .dims = 256, .entries = 50000});
  EXPECT_EQ(recipe.adapter.features, 1024);
  EXPECT_EQ(recipe.adapter.active, 32);
  EXPECT_EQ(recipe.train.batch, 1024);
  EXPECT_EQ(choices.size(), 5U);
  AdaptRecipe said = recipe_of({{"adapter.features", int64_t{100}}, {"adapter.active", int64_t{3}}});
  fit_to_rows(said, {.rows = 50, .dims = 8, .entries = 50});
  EXPECT_EQ(said.adapter.features, 100);
  EXPECT_EQ(said.adapter.active, 3);
  EXPECT_LE(said.train.batch, 50);
}

TEST(AdaptRecipe, TwoTowersSeeTheirPairsTenTimesAndLearnMoreSlowly) {
  const DataShape data{.rows = 900, .dims = 512, .entries = 900};
  AdaptRecipe alone = recipe_of({});
  fit_to_rows(alone, data);
  EXPECT_EQ(alone.train.epochs, 500);
  EXPECT_EQ(alone.train.rate, 6e-3);
  AdaptRecipe pairs = recipe_of({{"data.second", std::string("other.npy")}});
  fit_to_rows(pairs, data);
  EXPECT_EQ(pairs.train.epochs, 10);
  EXPECT_EQ(pairs.train.rate, 3e-3);
}

TEST(AdaptRecipe, MethodsArePresetsThatSettingsWinOver) {
  EXPECT_TRUE(recipe_of({{"train.method", std::string("csr")}}).adapter.tied);
  EXPECT_EQ(recipe_of({{"train.method", std::string("csr")}}).objective.contrast, 0.1);
  EXPECT_EQ(recipe_of({{"train.method", std::string("ncl")}}).objective.reconstruction, 0);
  const AdaptRecipe said = recipe_of({{"train.method", std::string("csr")}, {"objective.contrast", 1.0}});
  EXPECT_EQ(said.objective.contrast, 1.0);
}

TEST(AdaptRecipe, TheRecipeOfCsrIsThePublishedOne) {
  const std::string file = ORTHANT_SOURCE_DIR "/recipes/csr.toml";
  const AdaptRecipe recipe = make_adapt_recipe({{file, io::read_settings(file)}});
  EXPECT_TRUE(recipe.adapter.tied);
  EXPECT_EQ(recipe.objective.aux, 1.0 / 32);
  EXPECT_EQ(recipe.objective.aux_active, 512);
  EXPECT_EQ(recipe.train.rate, 4e-4);
}

TEST(AdaptRecipe, TextReadsBackToTheSameRecipe) {
  AdaptRecipe recipe = recipe_of({{"train.method", std::string("batch")}, {"train.rate", 0.1234567890123}});
  fit_to_rows(recipe, {.rows = 1000, .dims = 20, .entries = 1000});
  const Settings settings = io::parse_settings(adapt_text(recipe), "run.toml");
  EXPECT_TRUE(is_adapted(settings));
  EXPECT_EQ(make_adapt_recipe({{"run.toml", settings}}), recipe);
  EXPECT_TRUE(adapt_differences(recipe, recipe).empty());
}

TEST(AdaptRecipe, RefusesWhatContradictsItself) {
  EXPECT_THAT(message_of([] {
                recipe_of({{"adapter.features", int64_t{16}}, {"adapter.active", int64_t{17}}});
              }),
              HasSubstr("[adapter.active] expected at most as many features on as the 16 there are, got 17"));
  AdaptRecipe wide = recipe_of({{"adapter.active", int64_t{65}}});
  EXPECT_THAT(message_of([&] { fit_to_rows(wide, {.rows = 100, .dims = 4, .entries = 100}); }),
              HasSubstr("[adapter.active] expected at most as many features on as the 64 there are, got 65"));
  EXPECT_THAT(message_of([] { recipe_of({{"objective.reconstruction", 0.0}}); }), HasSubstr("[objective]"));
  EXPECT_THAT(message_of([] {
                recipe_of({{"train.method", std::string("jump")}, {"objective.wide", 0.1}});
              }),
              HasSubstr("[objective.wide] expected 0 with jump"));
  EXPECT_THAT(message_of([] {
                recipe_of({{"objective.positives", std::string("friends")}});
              }),
              HasSubstr("expected self, labels, neighbours, noise or a .npy of pairs, got friends"));
  EXPECT_THAT(message_of([] { recipe_of({{"train.rat", 1.0}}); }), HasSubstr("train.rate"));
  AdaptRecipe batch = recipe_of({{"train.batch", int64_t{500}}});
  EXPECT_THAT(message_of([&] { fit_to_rows(batch, {.rows = 100, .dims = 4, .entries = 100}); }),
              HasSubstr("[train.batch] expected at most the 100 rows"));
}

TEST(AdaptRecipe, AnnealsLinearlyAndRounds) {
  AdaptRecipe recipe;
  recipe.adapter.active = 8;
  EXPECT_EQ(active_at(recipe, 0, 100), 8);
  recipe.objective.anneal_from = 64;
  EXPECT_EQ(active_at(recipe, 0, 100), 64);
  EXPECT_EQ(active_at(recipe, 35, 100), 36);
  EXPECT_EQ(active_at(recipe, 70, 100), 8);
  EXPECT_EQ(active_at(recipe, 99, 100), 8);
}

}  // namespace
}  // namespace orthant::adapt
