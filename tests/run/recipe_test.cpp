#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/io/settings_file.h"
#include "orthant/run/recipe.h"
#include "orthant/run/training_data.h"
#include "orthant/views/view.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Settings settings_of(const std::string& toml) { return io::parse_settings(toml, "test"); }

TEST(Recipe, LaterLayersWin) {
  const Recipe recipe = make_recipe({{"recipe", settings_of("[train]\nepochs = 5\nbatch = 64")},
                                     {"--set", settings_of("[train]\nbatch = 32\nseed = 3")},
                                     {"flag", settings_of("[train]\nseed = 4")}});
  EXPECT_EQ(recipe.train.epochs, 5);
  EXPECT_EQ(recipe.train.batch, 32);
  EXPECT_EQ(recipe.train.seed, 4);
}

TEST(Recipe, TheMethodChoosesSigmaUnlessItIsSaid) {
  EXPECT_EQ(make_recipe({}).activation.name, "rep_relu");
  EXPECT_EQ(make_recipe({{"flag", settings_of("[train]\nmethod = 'cl'")}}).activation.name, "none");
  EXPECT_EQ(make_recipe({{"flag", settings_of("[activation]\nname = 'relu'")}}).activation.name, "relu");
  EXPECT_THAT(message_of([] {
                make_recipe({{"f", settings_of("[train]\nmethod='cl'\n[activation]\nname='relu'")}});
              }),
              HasSubstr("expected none with method cl, got relu"));
}

Recipe recipe_of(const std::string& toml) { return make_recipe({{"test", settings_of(toml)}}); }

TEST(Recipe, WhatLearnsFromLabelsHasDefaultsOfItsOwn) {
  for (const std::string method : {"ce", "nce"}) {
    const Recipe recipe = recipe_of("[train]\nmethod = '" + method + "'");
    EXPECT_EQ(recipe.activation.name, method == "nce" ? "rep_relu" : "none");
    EXPECT_EQ(recipe.loss.name, "cross_entropy");
    EXPECT_EQ(recipe.train.view_count, 1);
    EXPECT_EQ(recipe.views.scale_min, view_preset("weak").scale_min);
    EXPECT_EQ(recipe.projector.depth, 0);
    EXPECT_EQ(recipe.data.vector_noise, 0);
  }
  for (const std::string method : {"supcon", "nsupcon"}) {
    const Recipe recipe = recipe_of("[train]\nmethod = '" + method + "'");
    EXPECT_EQ(recipe.activation.name, method == "nsupcon" ? "rep_relu" : "none");
    EXPECT_EQ(recipe.loss.name, "supcon");
    EXPECT_EQ(recipe.loss.temperature, 0.1);
    EXPECT_EQ(recipe.train.view_count, 2);
    EXPECT_EQ(recipe.views.scale_min, view_preset("weak").scale_min);
    EXPECT_GT(recipe.projector.depth, 0);
  }
  const Recipe mine =
      recipe_of("[train]\nmethod='nce'\nviews='simclr'\nview_count=2\n[projector]\ndepth=3\n[labels]\nnoise=0.2");
  EXPECT_EQ(mine.views.scale_min, view_preset("simclr").scale_min);
  EXPECT_EQ(mine.train.view_count, 2);
  EXPECT_EQ(mine.projector.depth, 3);
  EXPECT_EQ(recipe_of(recipe_text(mine)), mine);
  EXPECT_THAT(recipe_text(mine), HasSubstr("'orthant supervise --recipe' repeats it"));
}

TEST(Recipe, MethodsRefuseWhatIsNotTheirs) {
  const auto refused = [](const std::string& toml) { return message_of([&] { recipe_of(toml); }); };
  EXPECT_EQ(refused("[train]\nmethod='ce'\n[activation]\nname='relu'"),
            "[activation] expected none with method ce, got relu; sigma+ is what makes it nce");
  EXPECT_EQ(refused("[train]\nmethod='nce'\n[loss]\nname='infonce'"),
            "[loss] expected cross_entropy with method nce, got infonce");
  EXPECT_EQ(refused("[train]\nmethod='supcon'\n[loss]\nname='spectral'"),
            "[loss] expected supcon with method supcon, got spectral");
  EXPECT_EQ(refused("[train]\nmethod='nsupcon'\n[loss]\nname='byol'"),
            "[loss] expected supcon with method nsupcon, got byol");
  EXPECT_EQ(
      refused("[loss]\nname='supcon'"),
      "[loss] expected infonce, spectral, barlow, vicreg, moco, byol, simsiam or swav with method ncl, got supcon");
  for (const std::string method : {"cl", "ncl", "supcon", "nsupcon"}) {
    EXPECT_EQ(refused("[train]\nview_count=1\nmethod='" + method + "'"),
              "[train] expected two views or more to compare with method " + method + ", got view_count 1");
  }
}

TEST(Recipe, LossesHaveDefaultsOfTheirOwn) {
  for (const std::string loss : {"infonce", "spectral", "barlow", "vicreg", "moco", "byol", "simsiam", "swav"}) {
    for (const std::string method : {"cl", "ncl"}) {
      const Recipe recipe = recipe_of("[train]\nmethod='" + method + "'\n[loss]\nname='" + loss + "'");
      EXPECT_EQ(recipe.projector.batch_norm, loss == "byol" || loss == "simsiam" || loss == "swav") << loss;
      const bool sharp = method == "ncl" && loss == "infonce";
      EXPECT_EQ(recipe.loss.temperature, sharp ? 0.07 : loss == "swav" ? 0.1 : 0.2) << loss;
      EXPECT_EQ(recipe.loss.momentum, loss == "moco" ? 0.996 : 0.99) << loss;
      EXPECT_EQ(recipe.activation.name, method == "cl" ? "none" : "rep_relu") << loss;
      EXPECT_EQ(recipe_of(recipe_text(recipe)), recipe) << loss;
    }
  }
  const Recipe mine = recipe_of("[loss]\nname='byol'\ntemperature=0.3\n[projector]\nbatch_norm=false");
  EXPECT_FALSE(mine.projector.batch_norm);
  EXPECT_EQ(mine.loss.temperature, 0.3);
}

TEST(Recipe, NclHoldsItsSparsityAndThePapersDoesNot) {
  const Recipe ncl = recipe_of("");
  EXPECT_EQ(ncl.activation.sparsity, 0.9);
  EXPECT_GT(ncl.activation.floor, 0);
  EXPECT_GT(ncl.train.activation_warmup, 0);
  EXPECT_EQ(recipe_of(recipe_text(ncl)), ncl);
  for (const std::string method : {"cl", "ncl-paper"}) {
    const Recipe other = recipe_of("[train]\nmethod='" + method + "'");
    EXPECT_EQ(other.activation.sparsity, 0) << method;
    EXPECT_EQ(other.activation.floor, 0) << method;
    EXPECT_EQ(other.train.activation_warmup, 0) << method;
    EXPECT_EQ(other.loss.temperature, 0.2) << method;
    EXPECT_EQ(other.projector.out, 256) << method;
  }
}

TEST(Recipe, NothingIsHeldWhereItCannotBe) {
  for (const std::string text : {"[projector]\ndepth=0", "[activation]\nname='topk'", "[projector]\nout=63"}) {
    EXPECT_EQ(recipe_of(text).activation.sparsity, 0) << text;
  }
  EXPECT_EQ(recipe_of("[projector]\nout=63\n[activation]\nsparsity=0.5").activation.sparsity, 0.5);
}

TEST(Recipe, ActiveFeaturesWinOverASparsity) {
  const Recipe recipe = recipe_of("[activation]\nactive=16\nsparsity=0.5");
  EXPECT_EQ(recipe.activation.active, 16);
  EXPECT_EQ(recipe.activation.sparsity, 0);
  EXPECT_EQ(active_share(recipe.activation, 64), 0.25);
  EXPECT_EQ(recipe_of(recipe_text(recipe)), recipe);
}

TEST(Recipe, TermsAndNestedFeaturesGoWithLossesOfViews) {
  for (const std::string text : {"[loss]\nname='byol'\nnested=4", "[loss]\nname='moco'\n[terms]\nl1=0.1"}) {
    EXPECT_THAT(message_of([&] { recipe_of(text); }), HasSubstr("barlow or vicreg with terms or nested features"));
  }
}

TEST(Recipe, ACompanionIsForInfonceWithoutLearnedImportance) {
  EXPECT_EQ(recipe_of("[train]\nmethod='cl'\n[loss]\ncompanion=0.5").loss.companion, 0.5);
  const auto refused = [](const std::string& text) { return message_of([&] { recipe_of(text + "companion=1"); }); };
  for (const std::string loss : {"spectral", "vicreg", "moco", "byol"}) {
    EXPECT_EQ(refused("[loss]\nname='" + loss + "'\n"),
              "[loss] expected infonce without learned importance for a companion, got " + loss);
  }
  EXPECT_EQ(refused("[loss]\nimportance='learned'\n"),
            "[loss] expected infonce without learned importance for a companion, got learned importance");
  EXPECT_THAT(refused("[train]\nmethod='nce'\n[loss]\n"), HasSubstr("for a companion, got cross_entropy"));
  EXPECT_THAT(message_of([&] { recipe_of("[loss]\ncompanion=-1"); }), HasSubstr("expected companion"));
}

TEST(Recipe, ImportanceIsLearnedByLossesThatSumOverFeatures) {
  EXPECT_FALSE(learns_importance(recipe_of("").loss));
  for (const std::string text : {"", "[train]\nmethod='cl'\n", "[activation]\nname='relu'\n"}) {
    for (const std::string loss : {"infonce", "spectral"}) {
      const Recipe recipe = recipe_of(text + "[loss]\nimportance='learned'\nname='" + loss + "'");
      EXPECT_TRUE(learns_importance(recipe.loss));
      EXPECT_EQ(recipe_of(recipe_text(recipe)), recipe);
    }
  }
  const auto refused = [](const std::string& text) { return message_of([&] { recipe_of(text); }); };
  const std::string learned = "[loss]\nimportance='learned'\n";
  for (const std::string loss : {"barlow", "vicreg", "moco", "byol", "simsiam", "swav"}) {
    EXPECT_THAT(refused(learned + "name='" + loss + "'"),
                HasSubstr("[loss] expected infonce or spectral to learn importance by, got " + loss));
  }
  EXPECT_THAT(refused("[train]\nmethod='nce'\n" + learned), HasSubstr("to learn importance by, got cross_entropy"));
  EXPECT_THAT(refused(learned + "nested=4"), HasSubstr("expected learned importance or nested features"));
  EXPECT_THAT(refused(learned + "[projector]\ndepth=0"), HasSubstr("becomes part of, got depth 0"));
  for (const std::string sigma : {"topk", "gelu", "softplus", "exp", "sigmoid"}) {
    EXPECT_THAT(refused(learned + "[activation]\nname='" + sigma + "'"),
                HasSubstr("[activation] expected relu, rep_relu, leaky_relu or none with learned importance"));
  }
  EXPECT_THAT(refused("[loss]\nimportance='fixed'"),
              HasSubstr("expected importance to be one of none, learned, got 'fixed'"));
  EXPECT_EQ(recipe_of("[train]\nmethod='cl'").loss.decorrelation, 0.1);
  EXPECT_EQ(recipe_of("").loss.decorrelation, 0.01) << "features that are never negative overlap";
}

TEST(Recipe, ContrastiveFeaturesHaveNoZerosToHold) {
  EXPECT_THAT(message_of([] { recipe_of("[train]\nmethod='cl'\n[activation]\nsparsity=0.9"); }),
              HasSubstr("[activation] expected no sparsity and no floor with method cl"));
}

TEST(Recipe, SettingsOfLossesOutOfRangeAreRefused) {
  const auto refused = [](const std::string& setting) { return message_of([&] { recipe_of("[loss]\n" + setting); }); };
  EXPECT_THAT(refused("momentum=1.5"), HasSubstr("expected momentum"));
  EXPECT_THAT(refused("queue=-1"), HasSubstr("expected queue"));
  EXPECT_THAT(refused("predictor_hidden=0"), HasSubstr("expected predictor_hidden"));
  EXPECT_THAT(refused("swav_prototypes=1"), HasSubstr("expected swav_prototypes"));
  EXPECT_THAT(refused("swav_epsilon=0"), HasSubstr("expected swav_epsilon"));
  EXPECT_THAT(refused("swav_iterations=0"), HasSubstr("expected swav_iterations"));
  EXPECT_THAT(refused("swav_frozen=2"), HasSubstr("expected swav_frozen"));
  EXPECT_THAT(refused("name='dino'"), HasSubstr("expected name to be one of infonce, spectral, barlow, vicreg, moco, "
                                                "byol, simsiam, swav"));
}

TEST(Recipe, AGraphIsLearnedFromWholeButNotTheLabelsOfItsTestNodes) {
  const std::string graph = "[data]\nsource='partition:200'\n";
  EXPECT_EQ(recipe_of(graph).data.split, "all");
  EXPECT_EQ(recipe_of(graph + "[train]\nmethod='nce'").data.split, "train");
  EXPECT_THAT(message_of([&] { open_training_data(recipe_of(graph + "positives='labels'")); }),
              HasSubstr("got labels, which its test nodes have too"));
}

TEST(Recipe, ThePresetOfViewsComesBeforeTheirSettings) {
  const Recipe weak = make_recipe({{"flag", settings_of("[train]\nviews = 'weak'\n[views]\nflip_probability = 0.25")}});
  EXPECT_EQ(weak.views.scale_min, view_preset("weak").scale_min);
  EXPECT_EQ(weak.views.flip_probability, 0.25);
}

TEST(Recipe, ItsTextGivesTheSameRecipeBack) {
  Recipe recipe = make_recipe({{"flag", settings_of("[optimiser]\nrate = 0.1\nwarmup_start = 1e-7")}});
  recipe.data.source = "folder:/a \"b\"\\c\td";
  recipe.views.mean_r = 1.0 / 3.0;
  const std::string text = recipe_text(recipe);
  EXPECT_EQ(make_recipe({{"run.toml", settings_of(text)}}), recipe);
  EXPECT_THAT(text, HasSubstr("# Images in a batch"));
}

TEST(Recipe, UnknownSettingsAndValuesAreRefusedByName) {
  EXPECT_THAT(message_of([] {
                make_recipe({{"--set", settings_of("[train]\nepoch = 1")}});
              }),
              HasSubstr("[--set] expected a known setting, got train.epoch; did you mean train.epochs?"));
  EXPECT_THAT(message_of([] {
                make_recipe({{"r.toml", settings_of("[optimiser]\nname = 'adam'")}});
              }),
              HasSubstr("[r.toml] expected name to be one of lars, sgd, adamw, muon, got 'adam'"));
}

TEST(Recipe, DifferencesAreThoseThatChangeTraining) {
  const Recipe before = make_recipe({});
  Recipe after = before;
  after.train.pacing.log_steps = 99;
  after.eval.size = 10;
  EXPECT_THAT(differences(before, after), IsEmpty());
  after.train.batch = 128;
  after.optimiser.rate = 0.5;
  EXPECT_THAT(differences(before, after), ElementsAre("train.batch: 256 -> 128", "optimiser.rate: 0.001 -> 0.5"));
}

TEST(Recipe, PrecisionIsPartOfTheCourseAndFloat32WhereAnOlderRunSaysNothing) {
  const Recipe before = make_recipe({});
  EXPECT_EQ(before.train.precision, "float32");
  const Recipe after = make_recipe({{"flag", settings_of("[train]\nprecision = 'bfloat16'")}});
  EXPECT_EQ(make_recipe({{"run.toml", settings_of(recipe_text(after))}}), after);
  EXPECT_THAT(differences(before, after), ElementsAre("train.precision: \"float32\" -> \"bfloat16\""));
  EXPECT_THAT(message_of([] {
                make_recipe({{"flag", settings_of("[train]\nprecision = 'half'")}});
              }),
              HasSubstr("[flag] expected precision to be one of float32, bfloat16, got 'half'"));
}

TEST(Recipe, TheRateIsTheUsualOneOfTheOptimiser) {
  EXPECT_EQ(make_recipe({}).optimiser.name, "adamw");
  EXPECT_EQ(make_recipe({}).optimiser.rate, 0.001);
  EXPECT_EQ(make_recipe({{"flag", settings_of("[optimiser]\nname = 'lars'")}}).optimiser.rate, 0.4);
  EXPECT_EQ(make_recipe({{"flag", settings_of("[optimiser]\nname = 'lars'\nrate = 0.3")}}).optimiser.rate, 0.3);
}

TEST(Recipe, PublishedOnesAreAsPublishedAndTheRestIsMadeForACpu) {
  for (const char* name : {"cifar10", "cifar100", "imagenet100"}) {
    const std::string file = std::string(ORTHANT_SOURCE_DIR "/recipes/") + name + ".toml";
    const Recipe recipe = make_recipe({{file, io::read_settings(file)}});
    EXPECT_EQ(recipe.backbone.name, "resnet18") << name;
    EXPECT_EQ(recipe.optimiser.name, "lars") << name;
    EXPECT_EQ(recipe.optimiser.warmup_epochs, 10) << name;
    EXPECT_EQ(recipe.optimiser.warmup_start, 3e-5) << name;
    EXPECT_EQ(recipe.projector.hidden, std::string(name) == "imagenet100" ? 16384 : 2048) << name;
  }
  EXPECT_EQ(make_recipe({}).backbone.name, "conv-mini");
}

TEST(Recipe, ThoseThatLearnFromLabelsAreCompactAndGiveEachRowByAFlag) {
  for (const auto& [name, method] : {std::pair{"supervise-nce", "nce"}, {"supervise-supcon", "nsupcon"}}) {
    const std::string file = std::string(ORTHANT_SOURCE_DIR "/recipes/") + name + ".toml";
    const Recipe recipe = make_recipe({{file, io::read_settings(file)}});
    EXPECT_EQ(recipe.train.method, method);
    EXPECT_EQ(recipe.backbone.width, 32);
    const std::string plain = std::string(method).substr(1);
    const Recipe other = make_recipe({{file, io::read_settings(file)}, {"--loss", {{"train.method", plain}}}});
    EXPECT_EQ(other.activation.name, "none");
    EXPECT_EQ(other.views, recipe.views);
    EXPECT_EQ(other.projector, recipe.projector);
  }
}

TEST(Recipe, PublishedOnesHaveThePublishedStemAndViewsApart) {
  for (const char* name : {"cifar10", "cifar100", "imagenet100"}) {
    const std::string path = std::string(ORTHANT_SOURCE_DIR "/recipes/") + name + ".toml";
    const Recipe recipe = make_recipe({{path, io::read_settings(path)}});
    EXPECT_TRUE(recipe.train.views_apart) << name;
    const bool imagenet = std::string(name) == "imagenet100";
    EXPECT_EQ(recipe.backbone.stem, imagenet ? "imagenet" : "small") << name;
    EXPECT_EQ(recipe.backbone.stem_padding, imagenet ? BackboneOptions{}.stem_padding : 2) << name;
  }
}

TEST(Recipe, WeightsGoWithTheNetworkAndTheInputTheyWereLearnedWith) {
  ModelOptions model;
  model.backbone = {.name = "conv-mini", .image_size = 16, .width = 8};
  model.projector = {.hidden = 32, .out = 12, .depth = 2};
  model.preprocessing.size = 16;
  model.preprocessing.mean = {0.1, 0.2, 0.3};
  std::vector<SettingsLayer> layers = {{"run", architecture_settings(model)}};
  EXPECT_FALSE(said(layers, "activation.name")) << "the method decides";
  const Recipe taken = make_recipe(layers);
  EXPECT_EQ(model_options(taken).backbone, model.backbone);
  EXPECT_EQ(model_options(taken).projector, model.projector);
  EXPECT_EQ(model_options(taken).preprocessing, model.preprocessing);
  EXPECT_NO_THROW(check_architecture(taken, model, "run"));

  layers.push_back({"flag", settings_of("[backbone]\nwidth = 16\nimage_size = 24\n[views]\nsize = 24")});
  EXPECT_EQ(message_of([&] { check_architecture(make_recipe(layers), model, "run"); }),
            "[run] expected the network that its weights are of, got backbone.width: 8 -> 16");
  model.backbone.name = "vit-tiny";
  EXPECT_THAT(message_of([&] { check_architecture(make_recipe(layers), model, "run"); }),
              HasSubstr("backbone.image_size: 16 -> 24"));
}

TEST(Recipe, ListsSettingsInItsOrderWithTheirMeaningsAndEndsWithTheUnknown) {
  const Settings settings = {{"train.epochs", Setting(int64_t{6})},
                             {"train.colour", Setting(std::string("red"))},
                             {"data.source", Setting(std::string("sprites"))},
                             {"alone", Setting(true)}};
  const auto listed = list_settings(Recipe{}, settings);
  ASSERT_EQ(listed.size(), 4U);
  EXPECT_EQ(listed[0].section + "." + listed[0].name, "data.source");
  EXPECT_THAT(listed[0].help, HasSubstr("Data set"));
  EXPECT_EQ(listed[1].name, "epochs");
  EXPECT_EQ(listed[1].value, "6");
  EXPECT_EQ(listed[2].section, "");
  EXPECT_EQ(listed[2].name, "alone");
  EXPECT_EQ(listed[3].name, "colour");
  EXPECT_EQ(listed[3].help, "");
}

}  // namespace
}  // namespace orthant
