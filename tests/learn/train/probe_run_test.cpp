#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "learn/task/probe.h"
#include "learn/task/supervised_classifier.h"
#include "learn/task/supervised_task.h"
#include "learn/train/embed.h"
#include "orthant/io/atomic_file.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/run/supervised_data.h"
#include "orthant/sources/open.h"
#include "tests/learn/train/probe_support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using test::ProbeFolder;
using test::read_bytes;
using ::testing::HasSubstr;

const Setting kLbfgs = std::string("lbfgs");
const Setting kLars = std::string("lars");
const Setting kSgd = std::string("sgd");
const Setting kFinetune = std::string("finetune");
const Setting kProjector = std::string("projector");

TEST(Probe, BeatsChanceWithEverySolverOnBothLayers) {
  const ProbeFolder folder;
  for (const Setting& solver : {kLbfgs, kLars, kSgd}) {
    for (const Setting& layer : {Setting(std::string("backbone")), kProjector}) {
      const std::string name = to_string(solver) + "-" + to_string(layer);
      const SupervisedRecipe recipe = folder.recipe(
          {{"train.solver", solver}, {"train.layer", layer}, {"optimiser.rate", 2.0}, {"train.epochs", int64_t{40}}});
      const SupervisedResult result = folder.run(recipe, name);
      EXPECT_GT(result.seeds.at(0).test.top1, 0.6) << name;  // chance is 0.25
      EXPECT_EQ(result.seeds.at(0).test.items, 24);
      EXPECT_TRUE(std::filesystem::exists(folder / (name + "/result.json")));
    }
  }
}

TEST(Probe, LbfgsIsTheMinimumOfTheLogisticRegressionOnTheFeatures) {
  const ProbeFolder folder;
  // A penalty that holds the weights where they are: the best of the grid leaves classes that can be told apart nearly
  // free, and weights then differ by how the fit was started.
  const SupervisedRecipe recipe = folder.recipe({{"train.l2", 0.01}});
  const SupervisedResult result = folder.run(recipe, "probe");
  const TrainedClassifier found = read_classifier(folder / "probe/classifier.safetensors");

  Model model = Model::load(folder.model());
  const DatasetPtr train = open_supervised_data(recipe).train;
  const Embeddings features = embed(model, train, {.layer = "backbone", .threads = 1});
  fit::LogisticOptions options{.l2 = std::stod(found.facts.at("l2")), .standardise = true, .threads = 1};
  const fit::LogisticModel refit = fit::fit_logistic(features, labels_of(*train), options);
  ASSERT_EQ(found.model.weights.size(), refit.weights.size());
  for (int64_t i = 0; i < refit.weights.size(); ++i) {
    EXPECT_NEAR(found.model.weights.data()[i], refit.weights.data()[i], 1e-2 * (1 + std::abs(refit.weights.data()[i])));
  }
  EXPECT_EQ(found.facts.at("converged"), "true");
  EXPECT_EQ(found.facts.at("items"), "216");
}

TEST(Probe, AFixedPenaltyIsTheOneThatIsUsed) {
  const ProbeFolder folder;
  const SupervisedResult result = folder.run(folder.recipe({{"train.l2", 0.5}}), "probe");
  EXPECT_EQ(result.seeds.at(0).facts.at("l2"), "0.5");
}

TEST(Probe, LeavesWeightsAndBatchNormOfTheEncoderAsTheyWere) {
  const ProbeFolder folder;
  for (const bool pictures : {false, true}) {
    ModelOptions options;
    options.backbone = {.name = "conv-mini", .width = 8};
    options.projector = {.hidden = 8, .out = 6, .depth = 2, .batch_norm = true};
    Model model = pictures ? Model(options, 1) : Model::load(folder.model());
    model.save(folder / "before");
    Settings settings = {{"train.solver", kSgd}, {"train.layer", kProjector}, {"train.batch", int64_t{16}}};
    settings["data.source"] = pictures ? "sprites" : folder.vectors();
    const SupervisedRecipe recipe = make_supervised_recipe({{"test", settings}}, model.options());
    const DatasetPtr data =
        pictures ? open_dataset("sprites", {.size = 48}) : open_dataset(folder.vectors(), {.split = "train"});
    SupervisedTask task(recipe, model, data, 1);
    Trainer trainer(task, recipe.optimiser, recipe.train.threads);
    const auto before = task.classifier();
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
    EXPECT_FALSE(task.classifier().weights == before.weights);
    model.save(folder / "after");
    EXPECT_EQ(read_bytes(folder / "before"), read_bytes(folder / "after"));
  }
}

// Mean accuracy on its own training batches, of the first and the last epoch.
std::pair<double, double> first_and_last_accuracy(Trainer& trainer) {
  double first = -1;
  double last = 0;
  while (!trainer.finished()) {
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
    last = trainer.tally().correct / trainer.tally().counted;
    if (first < 0) first = last;
    trainer.end_epoch();
  }
  return {first, last};
}

TEST(Finetune, ChangesEncoderAndBatchNormAndLearns) {
  const ProbeFolder folder;
  ModelOptions options;
  options.backbone = {.name = "conv-mini", .width = 8};
  options.projector = {.hidden = 8, .out = 6, .depth = 2};
  Model model(options, 1);
  model.save(folder / "before");
  const Settings settings = {{"data.source", std::string("sprites")},
                             {"train.task", kFinetune},
                             {"train.solver", std::string("adamw")},
                             {"optimiser.rate", 0.1},
                             {"optimiser.warmup_epochs", 0.0},
                             {"train.batch", int64_t{16}},
                             {"train.epochs", int64_t{12}},
                             {"train.threads", int64_t{1}},
                             {"views.scale_min", 0.9}};
  const SupervisedRecipe recipe = make_supervised_recipe({{"test", settings}}, model.options());
  SupervisedTask task(recipe, model, open_dataset("sprites", {.size = 48}), 1);
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  const auto [first, last] = first_and_last_accuracy(trainer);
  EXPECT_GT(last, first + 0.2);
  model.save(folder / "after");
  const auto before = io::SafeTensors::open(folder / "before");
  const auto after = io::SafeTensors::open(folder / "after");
  int changed = 0;
  for (const std::string& name : before.names()) {
    const bool same = std::ranges::equal(before.tensor(name).bytes, after.tensor(name).bytes);
    EXPECT_EQ(same, name.starts_with("projector.")) << name;
    changed += !same && name.ends_with("running_mean");
  }
  EXPECT_GT(changed, 0);
}

// Stops after `steps` steps, as Ctrl-C does.
std::optional<SupervisedResult> stopped_after(int64_t steps, const SupervisedRecipe& recipe, const RunFolder& folder) {
  int64_t left = steps;
  SupervisedListener listener;
  listener.step = [&](auto&&...) { --left; };
  listener.stop = [&] { return left <= 0; };
  return run_supervised(recipe, folder, listener);
}

TEST(SupervisedRun, StoppedItGoesOnToTheSameBytes) {
  const ProbeFolder folder;
  for (const char* task : {"probe", "finetune"}) {
    const SupervisedRecipe recipe = folder.recipe({{"train.task", std::string(task)},
                                                   {"train.solver", kLars},
                                                   {"train.seeds", int64_t{2}},
                                                   {"train.label_noise", 0.1},
                                                   {"data.vector_noise", 0.1}});
    const std::string whole = std::string(task) + "-whole";
    const std::string cut = std::string(task) + "-cut";
    folder.run(recipe, whole);
    {
      const RunFolder run = RunFolder::create(folder / cut);
      io::write_file(run.recipe_file(), supervised_text(recipe));
    }
    int stops = 0;
    for (const int64_t steps : {7, 25, 70, 1, 13}) {  // in the middle, over an end of an epoch, in the second seed
      stops += !stopped_after(steps, recipe, RunFolder::open(folder / cut));
    }
    EXPECT_GE(stops, 3);
    ASSERT_TRUE(run_supervised(recipe, RunFolder::open(folder / cut)));
    EXPECT_EQ(read_bytes(folder / (cut + "/result.json")), read_bytes(folder / (whole + "/result.json")));
    const std::string file =
        task == std::string("probe") ? "/seed-11/classifier.safetensors" : "/seed-11/model.safetensors";
    EXPECT_EQ(read_bytes(folder / (cut + file)), read_bytes(folder / (whole + file)));
    EXPECT_FALSE(read_bytes(folder / (cut + file)).empty());
  }
}

TEST(SupervisedRun, AFinetunedModelIsAModelWithAClassifier) {
  const ProbeFolder folder;
  const SupervisedRecipe recipe = folder.recipe({{"train.task", kFinetune}});
  const SupervisedResult result = folder.run(recipe, "tuned");
  Model tuned = Model::load(folder / "tuned/model.safetensors");
  const TrainedClassifier classifier = read_classifier(folder / "tuned/model.safetensors");
  const DatasetPtr test = open_supervised_data(recipe).test;
  const Embeddings features = embed(tuned, test, {.layer = "backbone", .threads = 1});
  EXPECT_DOUBLE_EQ(fit::accuracy(classifier.model, features, labels_of(*test)).top1, result.seeds.at(0).test.top1);
  EXPECT_EQ(classifier.facts.at("task"), "finetune");
}

TEST(SupervisedRun, SeedsDifferAndRepeat) {
  const ProbeFolder folder;
  const SupervisedRecipe recipe = folder.recipe({{"train.seeds", int64_t{3}}, {"train.label_fraction", 0.1}});
  const SupervisedResult first = folder.run(recipe, "first");
  folder.run(recipe, "again");
  EXPECT_EQ(read_bytes(folder / "first/result.json"), read_bytes(folder / "again/result.json"));
  ASSERT_EQ(first.seeds.size(), 3u);
  EXPECT_EQ(first.seeds[2].seed, 12);
  EXPECT_EQ(first.seeds[2].facts.at("items"), "20");
  EXPECT_NE(read_bytes(folder / "first/seed-10/classifier.safetensors"),
            read_bytes(folder / "first/seed-11/classifier.safetensors"));
}

TEST(SupervisedRun, TestsUnderCorruptions) {
  const ProbeFolder folder;
  ModelOptions options;
  options.backbone = {.name = "conv-mini", .width = 8};
  options.projector = {.hidden = 8, .out = 6, .depth = 2};
  options.notes["data"] = "sprites";
  Model(options, 1).save(folder / "pictures");
  SupervisedRecipe recipe = make_supervised_recipe({{"test",
                                                     {{"train.model", folder / "pictures"},
                                                      {"data.train_size", int64_t{64}},
                                                      {"train.test_size", int64_t{32}},
                                                      {"train.threads", int64_t{1}},
                                                      {"train.ood", std::string("gaussian_noise:5,fog,sketch:1")}}}},
                                                   options);
  check_supervised(recipe);
  const SupervisedResult result = folder.run(recipe, "ood");
  EXPECT_THAT(result.conditions, ::testing::ElementsAre("gaussian_noise:5", "fog:3", "sketch:1"));
  ASSERT_EQ(result.seeds.at(0).ood.size(), 3u);
  for (const Scored& scored : result.seeds.at(0).ood) EXPECT_EQ(scored.items, 32);
  recipe.train.ood = "mist:3";
  EXPECT_THAT(message_of([&] { check_supervised(recipe); }), HasSubstr("gaussian_noise"));
}

TEST(SupervisedRun, RejectsWhatDoesNotGoTogetherBeforeAnythingIsWritten) {
  const ProbeFolder folder;
  const auto message = [&](const Settings& settings) {
    return message_of([&] { check_supervised(folder.recipe(settings)); });
  };
  EXPECT_THAT(message({{"data.source", std::string("sprites")}}), HasSubstr("[probe] expected vectors of 6"));
  EXPECT_THAT(message({{"train.ood", std::string("fog:3")}}), HasSubstr("expected pictures to corrupt, got vectors"));
  SupervisedRecipe recipe = folder.recipe({});
  recipe.train.model = folder / "nothing";
  EXPECT_THAT(message_of([&] { check_supervised(recipe); }), HasSubstr("nothing"));
}

TEST(SupervisedRun, RefusesToGoOnWithAnotherEncoder) {
  const ProbeFolder folder;
  const SupervisedRecipe recipe = folder.recipe({{"train.solver", kSgd}});
  const RunFolder run = RunFolder::create(folder / "run");
  EXPECT_FALSE(stopped_after(9, recipe, run));
  Model other(Model::load(folder.model()).options(), 99);
  other.save(folder.model());
  EXPECT_THAT(message_of([&] { run_supervised(recipe, run); }), HasSubstr("got one on another"));
}

}  // namespace
}  // namespace orthant
