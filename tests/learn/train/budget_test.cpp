#include "learn/train/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "learn/train/plan.h"
#include "orthant/io/settings_file.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

std::vector<SettingsLayer> layers_of(const std::string& toml) { return {{"flag", io::parse_settings(toml, "test")}}; }

// A machine on which conv-mini of width 32 trains on 1,000 pictures of 32 x 32 in two views a second, and others take
// what they do.
Speed pretended(const Recipe& recipe, double) {
  const double size = static_cast<double>(recipe.views.size) / 32;
  const double width = std::pow(static_cast<double>(recipe.backbone.width) / 32, 1.1);
  const double views = static_cast<double>(std::max<int64_t>(recipe.train.view_count, 2)) / 2;
  return {.seconds_per_item = size * size * width * views / 1000};
}

struct Chosen {
  Recipe recipe;
  std::vector<Choice> choices;
  Plan plan;
};

Chosen choose(double seconds, int64_t items, int64_t size, const std::string& toml = "") {
  const auto layers = layers_of(toml);
  Chosen chosen{make_recipe(layers), {}, {}};
  if (!said(layers, "views.size")) chosen.recipe.views.size = size;
  const int64_t held_out = items / 9;
  chosen.choices = fit_to_budget(chosen.recipe, layers, {seconds, items, held_out}, pretended);
  const int64_t used = chosen.recipe.data.train_size > 0 ? chosen.recipe.data.train_size : items;
  chosen.plan = make_plan(chosen.recipe, pretended(chosen.recipe, 0), used, held_out);
  return chosen;
}

TEST(Budget, IsKeptOnSmallAndLargeData) {
  for (const double seconds : {30.0, 120.0, 600.0, 3600.0, 36000.0}) {
    for (const int64_t items : {2'000, 7'000, 50'000, 1'200'000}) {
      for (const int64_t size : {28, 32, 96, 128}) {
        const Chosen chosen = choose(seconds, items, size);
        EXPECT_LE(chosen.plan.seconds, seconds) << items << " of " << size;
        if (chosen.recipe.train.epochs < 400) {
          EXPECT_GE(chosen.plan.seconds, 0.8 * seconds) << items << " of " << size;
        }
        EXPECT_LE(chosen.recipe.views.size, size);
        EXPECT_GE(chosen.recipe.train.epochs, 2);
      }
    }
  }
}

TEST(Budget, TakesAPartOfTheItemsButNotOfAShareOfLabels) {
  EXPECT_GT(choose(90, 50'000, 32).recipe.data.train_size, 0);
  EXPECT_GT(choose(90, 50'000, 32, "[train]\nmethod='nce'").recipe.data.train_size, 0);
  EXPECT_EQ(choose(90, 50'000, 32, "[train]\nmethod='nce'\n[labels]\nfraction=0.5").recipe.data.train_size, 0);
}

TEST(Budget, BuysALargerNetworkAndLargerPicturesWithMoreTime) {
  const Recipe minutes = choose(120, 50'000, 32).recipe;
  const Recipe hours = choose(7200, 50'000, 32).recipe;
  EXPECT_EQ(minutes.backbone.width, 32);
  EXPECT_GT(hours.backbone.width, 32);
  EXPECT_LT(choose(60, 7'000, 128).recipe.views.size, choose(36000, 7'000, 128).recipe.views.size);
}

TEST(Budget, GivesShortRunsOfPicturesAProjectorOfOneLayer) {
  for (const std::string method : {"cl", "ncl"}) {
    const std::string toml = "[train]\nmethod='" + method + "'\n";
    EXPECT_EQ(choose(120, 50'000, 32, toml).recipe.projector.depth, 1) << method;
    EXPECT_EQ(choose(7200, 50'000, 32, toml).recipe.projector.depth, 2) << method;
    for (const std::string said : {"depth=2", "hidden=64", "batch_norm=true"}) {
      EXPECT_EQ(choose(120, 50'000, 32, toml + "[projector]\n" + said).recipe.projector.depth, 2) << said;
    }
  }
  for (const std::string toml :
       {"[train]\nmethod='ncl-paper'", "[loss]\nname='byol'", "[backbone]\nname='mlp'\ndims=8"}) {
    EXPECT_EQ(choose(120, 50'000, 32, toml).recipe.projector.depth, 2) << toml;
  }
}

TEST(Budget, CountsRowsWhateverTheNumberOfViews) {
  for (const double seconds : {120.0, 600.0, 7200.0}) {
    const Recipe two = choose(seconds, 50'000, 32).recipe;
    const Recipe four = choose(seconds, 50'000, 32, "[train]\nview_count=4").recipe;
    EXPECT_EQ(four.backbone.width, two.backbone.width) << seconds;
    EXPECT_EQ(4 * four.train.batch, 2 * two.train.batch) << seconds;
    EXPECT_EQ(four.optimiser.rate, 2 * two.optimiser.rate) << seconds;
  }
}

TEST(Budget, TakesAPartOfDataThatAreTooMany) {
  const Recipe recipe = choose(60, 1'200'000, 32).recipe;
  EXPECT_EQ(recipe.train.epochs, 2);
  EXPECT_LT(recipe.data.train_size, 40'000);
  EXPECT_EQ(recipe.data.train_size % recipe.train.batch, 0);
}

TEST(Budget, LeavesWhatWasSaid) {
  const Chosen chosen = choose(600, 50'000, 64,
                               "[train]\nbatch = 512\n[backbone]\nwidth = 48\n[views]\nsize = 40\n"
                               "[optimiser]\nrate = 0.003\nwarmup_epochs = 0.5\n[eval]\nevery = 3\nsize = 999");
  EXPECT_EQ(chosen.recipe.train.batch, 512);
  EXPECT_EQ(chosen.recipe.backbone.width, 48);
  EXPECT_EQ(chosen.recipe.views.size, 40);
  EXPECT_EQ(chosen.recipe.optimiser.rate, 0.003);
  EXPECT_EQ(chosen.recipe.optimiser.warmup_epochs, 0.5);
  EXPECT_EQ(chosen.recipe.eval.every, 3);
  EXPECT_EQ(chosen.recipe.eval.size, 999);
}

TEST(Budget, SaysWhatItChose) {
  const Chosen chosen = choose(120, 50'000, 32);
  ASSERT_FALSE(chosen.choices.empty());
  EXPECT_THAT(chosen.choices.front().text, HasSubstr("items in batches of 256, image size 32, conv-mini of width 32"));
  EXPECT_THAT(chosen.choices.front().text, HasSubstr("2 epochs of 50000 items"));
  const Chosen small = choose(3600, 300, 32);
  EXPECT_EQ(small.recipe.train.epochs, 400);
  EXPECT_THAT(small.choices.back().text, HasSubstr("done before time"));
}

TEST(Budget, RefusesTimeThatDoesNotSuffice) {
  EXPECT_THAT(
      message_of([] { choose(3, 50'000, 32); }),
      HasSubstr("expected time for at least 100 batches of 128 items, which take 13 seconds here, got 3 seconds"));
}

TEST(Plan, AddsUpWhatARunDoes) {
  Recipe recipe = make_recipe({});
  recipe.train.epochs = 4;
  recipe.train.batch = 100;
  recipe.train.cache_mib = 1;
  recipe.eval.every = 2;
  recipe.eval.size = 60;
  recipe.eval.bank = 120;
  const Speed speed{.seconds_per_item = 0.5, .seconds_per_decode = 0.25, .bytes_per_picture = (1 << 20) / 500};
  const Plan plan = make_plan(recipe, speed, 1050, 80);
  EXPECT_EQ(plan.steps_per_epoch, 10);
  EXPECT_EQ(plan.steps, 40);
  EXPECT_EQ(plan.evaluations, 2);
  EXPECT_DOUBLE_EQ(plan.seconds_training, 4000 * 0.5);
  EXPECT_DOUBLE_EQ(plan.seconds_evaluating, 2 * (60 + 120 + 2 * 60) / 6.0 * 0.5);
  // 1,050 pictures the first time, of which about 500 stay in memory; and 180 for each evaluation.
  EXPECT_NEAR(plan.seconds_decoding, (1050 + (4000 - 1050) * (1 - 500.0 / 1050) + 2 * 180) * 0.25, 1);
  EXPECT_DOUBLE_EQ(plan.seconds, plan.seconds_training + plan.seconds_evaluating + plan.seconds_decoding);
}

}  // namespace
}  // namespace orthant
