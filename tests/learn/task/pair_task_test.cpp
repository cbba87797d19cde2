#include "learn/task/pair_task.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "learn/loss/pair_loss.h"
#include "learn/nn/nonneg.h"
#include "learn/task/feed.h"
#include "learn/task/pair_evaluation.h"
#include "learn/text/text_input.h"
#include "orthant/data/order.h"
#include "orthant/io/atomic_file.h"
#include "orthant/sources/open.h"
#include "orthant/towers/tower_files.h"
#include "tests/learn/task/pair_support.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::formula;
using test::loop_options;
using test::message_of;
using test::Pairing;
using test::tiny_pairs;
using test::waves;
using ::testing::HasSubstr;

using Tensors = std::map<std::string, at::Tensor>;

Tensors parameters_of(Model& model) {
  Tensors tensors;
  model.visit_parameters([&](const std::string& name, at::Tensor& tensor) { tensors[name] = tensor.detach().clone(); });
  return tensors;
}

void train_steps(Trainer& trainer, int64_t steps) {
  for (int64_t done = 0; done < steps && !trainer.finished();) {
    trainer.begin_epoch();
    while (done < steps && trainer.backward()) {
      trainer.step();
      ++done;
    }
    if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
  }
}

Model golden_tower(int64_t dims, int64_t phase, const std::string& activation, const std::vector<std::string>& names) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = dims, .hidden = 8, .depth = 1};
  options.projector = {.hidden = 8, .out = 5, .depth = 2};
  options.activation.name = activation;
  Model model(options);
  model.visit_parameters([&](const std::string& name, at::Tensor& weights) {
    const auto found = std::ranges::find(names, name);
    ASSERT_NE(found, names.end()) << name;
    weights.detach().copy_(formula(weights.sizes().vec(), phase + (found - names.begin())));
  });
  return model;
}

TEST(Towers, TenStepsOfTwoTinyTowersAreThoseOfPyTorch) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/pairs.json");
  const nlohmann::json golden = nlohmann::json::parse(in);
  for (const auto& curve : golden["curves"]) {
    const std::vector<std::string> names = golden["parameters"];
    Model a = golden_tower(6, 0, curve["activation"], names);
    Model b = golden_tower(4, 20, curve["activation"], names);
    const PairLossOptions loss{.name = curve["loss"]};
    at::Tensor log_scale = initial_log_scale(loss).requires_grad_(true);
    OptimiserOptions following;
    following.name = curve["optimiser"];
    following.weight_decay = 1e-2;
    const auto visit_all = [&](const TensorVisitor& visit) {
      a.visit_parameters(with_prefix("a.", visit));
      b.visit_parameters(with_prefix("b.", visit));
      if (loss.name == "infonce") visit("log_scale", log_scale);
    };
    Optimiser optimiser(visit_all, following, 1);
    for (size_t step = 0; step < curve["losses"].size(); ++step) {
      optimiser.clear_gradients();
      const PairLossResult result =
          pair_loss(a.forward(2 * formula({8, 6}, 50)), b.forward(2 * formula({8, 4}, 70)), log_scale, loss);
      EXPECT_NEAR(result.value, curve["losses"][step].get<double>(), 1e-4) << loss.name << " " << step;
      result.loss.backward();
      optimiser.step(golden["rate"]);
      EXPECT_NEAR(log_scale.exp().item<double>(), curve["scales"][step].get<double>(), 1e-3)
          << loss.name << " " << step;
    }
  }
}

TEST(Towers, LearnWhichItemsBelongTogether) {
  for (const std::string loss : {"infonce", "spectral"}) {
    PairRecipe recipe = tiny_pairs({{"train.epochs", int64_t{40}}, {"optimiser.rate", 0.1}, {"loss.name", loss}});
    Pairing run(recipe, {waves(160), waves(40, 160)});
    const double before = value_of(run.task.evaluate({}).measures, "a_to_b_recall_at_5");
    train_steps(run.trainer, 100000);
    const Scalars after = run.task.evaluate({}).measures;
    EXPECT_GT(value_of(after, "a_to_b_recall_at_5"), before + 0.3) << loss;
    EXPECT_GT(value_of(after, "b_to_a_recall_at_5"), 0.8) << loss;
    EXPECT_LE(value_of(after, "a_to_b_median_rank"), 4) << loss;
    EXPECT_GT(value_of(after, "positive_cosine"), value_of(after, "negative_cosine") + 0.2) << loss;
    EXPECT_GT(value_of(after, "shared_features"), 0.3) << loss;
    EXPECT_EQ(value_of(after, "held_out_pairs"), 16) << loss;
    EXPECT_EQ(value_of(after, "non_negative_a"), 1) << loss;
  }
}

TEST(Towers, AStepTellsWhatItWasLike) {
  Pairing run(tiny_pairs());
  run.trainer.begin_epoch();
  const auto measures = run.trainer.backward();
  ASSERT_TRUE(measures.has_value());
  EXPECT_NEAR(value_of(*measures, "temperature"), 0.07, 1e-6);
  EXPECT_GT(value_of(*measures, "sparsity_a"), 0.1);
  EXPECT_GT(value_of(*measures, "sparsity_b"), 0.1);
  for (const char* name : {"loss", "rate", "blend", "positive_cosine", "negative_cosine", "zero_rows"}) {
    EXPECT_TRUE(find(*measures, name).has_value()) << name;
  }
}

TEST(Towers, TheTemperatureIsLearnedUnlessItIsFixedAndNeverBelowItsCap) {
  const test::TemporaryFolder folder;
  const auto temperature_after = [&](const Settings& settings) {
    Pairing run(tiny_pairs(settings));
    train_steps(run.trainer, 15);
    run.task.publish(folder.path());
    return std::stod(io::SafeTensors::open(RunPaths(folder.path()).model_file()).metadata().at("notes.temperature"));
  };
  EXPECT_NE(temperature_after({}), 0.07);
  EXPECT_NEAR(temperature_after({{"loss.learn_temperature", false}}), 0.07, 1e-6);
  EXPECT_GE(temperature_after({{"loss.scale_cap", 10.0}}), 0.1 - 1e-6);
}

TEST(Towers, FrozenBackbonesStayAsTheyAreAndTheRestLearns) {
  PairRecipe recipe = tiny_pairs();
  for (const std::string freeze : {"a", "b", "both"}) {
    recipe.train.freeze = freeze;
    Pairing run(recipe);
    const std::map<Tower, Tensors> before = {{Tower::a, parameters_of(run.task.model(Tower::a))},
                                             {Tower::b, parameters_of(run.task.model(Tower::b))}};
    train_steps(run.trainer, 6);
    for (const auto& [tower, tensors] : before) {
      for (const auto& [name, tensor] : parameters_of(run.task.model(tower))) {
        const bool frozen = is_frozen(recipe, tower) && !name.starts_with("projector.");
        EXPECT_EQ(at::equal(tensor, tensors.at(name)), frozen) << freeze << " " << to_string(tower) << " " << name;
      }
    }
  }
}

TEST(Towers, AFrozenBackboneWithBatchNormKeepsItsStatisticsThroughAnEvaluation) {
  DataOptions options;
  options.size = 32;
  const DatasetPtr sprites = open_dataset("sprites", options);
  const std::vector<SettingsLayer> layers = {{"test",
                                              {{"data.with", "sprites"},
                                               {"train.batch", int64_t{16}},
                                               {"backbone.width", int64_t{8}},
                                               {"views.size", int64_t{16}},
                                               {"projector.hidden", int64_t{16}},
                                               {"train.threads", int64_t{1}}}}};
  PairRecipe recipe = make_pair_recipe(layers);
  fit_pairs(recipe, layers, {sprites, sprites});
  recipe.train.freeze = "a";
  Pairing run(recipe, {{sprites, sprites}, {sprites, sprites}});
  const auto statistics = [&](Tower tower) {
    Tensors tensors;
    run.task.model(tower).encoder().visit_buffers(
        [&](const std::string& name, at::Tensor& tensor) { tensors[name] = tensor.clone(); });
    return tensors;
  };
  const Tensors a = statistics(Tower::a);
  const Tensors b = statistics(Tower::b);
  train_steps(run.trainer, 1);
  run.task.evaluate({});
  ASSERT_TRUE(run.trainer.backward().has_value());
  for (const auto& [name, tensor] : statistics(Tower::a)) EXPECT_TRUE(at::equal(tensor, a.at(name))) << name;
  EXPECT_FALSE(at::equal(statistics(Tower::b).begin()->second, b.begin()->second));
}

TEST(Towers, ASharedProjectorIsOne) {
  const PairRecipe recipe = tiny_pairs({{"train.shared_projector", true}});
  Pairing run(recipe);
  train_steps(run.trainer, 6);
  const Tensors a = parameters_of(run.task.model(Tower::a));
  const Tensors b = parameters_of(run.task.model(Tower::b));
  for (const auto& [name, tensor] : a) {
    EXPECT_TRUE(!name.starts_with("projector.") || at::equal(tensor, b.at(name))) << name;
  }
  PairRecipe wider = recipe;
  wider.b.backbone.hidden = 17;
  EXPECT_THAT(message_of([&] {
                Pairing(wider, {waves(40), {}});
              }),
              HasSubstr("backbones of equally many features for one projector, got 16 and 17"));
}

TEST(Towers, ARestoredTrainerGoesOnBitForBitFromAnyStep) {
  for (const Settings& settings :
       {Settings{}, Settings{{"train.shared_projector", true}}, Settings{{"loss.name", "spectral"}}}) {
    PairRecipe recipe = tiny_pairs(settings);
    recipe.train.activation_warmup = 0.5;
    recipe.train.freeze = "a";
    Pairing uninterrupted(recipe);
    train_steps(uninterrupted.trainer, 1000);
    const Checkpoint expected = uninterrupted.trainer.save();
    for (const int64_t stop : {0, 3, 5, 14}) {
      Pairing first(recipe);
      train_steps(first.trainer, stop);
      Pairing second(recipe);
      second.task.model(Tower::a).encoder().visit_parameters(
          [](const std::string&, at::Tensor& weights) { weights.detach().zero_(); });
      second.trainer.restore(first.trainer.save());
      train_steps(second.trainer, 1000);
      const Checkpoint found = second.trainer.save();
      ASSERT_EQ(found.tensors.size(), expected.tensors.size());
      for (const auto& [name, tensor] : expected.tensors) {
        EXPECT_TRUE(std::ranges::equal(tensor.bytes, found.tensors.at(name).bytes)) << name << " from " << stop;
      }
    }
  }
}

TEST(Towers, AStoppedRunEndsWithTheSameFilesAndBothTowersNoteTheirStep) {
  const test::TemporaryFolder folder;
  const PairRecipe recipe = tiny_pairs();
  const RunFolder whole = RunFolder::create(folder / "whole");
  Pairing uninterrupted(recipe);
  EXPECT_EQ(train(uninterrupted.trainer, loop_options(recipe, whole)), Ending::finished);
  const RunFolder run = RunFolder::create(folder / "run");
  Pairing first(recipe);
  TrainListener listener;
  listener.stop = [&] { return first.trainer.position().step == 7; };
  EXPECT_EQ(train(first.trainer, loop_options(recipe, run), listener), Ending::stopped);
  Pairing second(recipe);
  go_back_to_checkpoint(second.trainer, run.path());
  EXPECT_EQ(second.trainer.position().step, 7);
  EXPECT_EQ(train(second.trainer, loop_options(recipe, run)), Ending::finished);
  EXPECT_EQ(test::read_bytes(run.model_file()), test::read_bytes(whole.model_file()));
  EXPECT_EQ(test::read_bytes(run.second_model_file()), test::read_bytes(whole.second_model_file()));

  io::write_file(run.recipe_file(), pair_text(recipe));
  EXPECT_EQ(tower_file(run, Tower::a), run.model_file());
  EXPECT_EQ(tower_file(run, Tower::b), run.second_model_file());
  const Model b = Model::load(run.second_model_file());
  EXPECT_EQ(b.options().notes.at("tower"), "b");
  EXPECT_EQ(b.options().notes.at("step"), "15");
  Pairing other(recipe);
  other.task.publish(folder / "whole");
  std::filesystem::copy_file(whole.model_file(), run.model_file(), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(message_of([&] { tower_file(run, Tower::b); }),
              HasSubstr("expected two towers of one step, got those of steps 0 and 15"));
}

TEST(Towers, WarnOfCollapseAndOfDeadFeaturesByTower) {
  PairEvaluation evaluation;
  evaluation.pairs = HeldOutViews{.loss = 1, .positive_cosine = 0.99, .negative_cosine = 0.98};
  for (Evaluation& tower : evaluation.towers) tower = {.statistics = {}, .features = 10, .items = 10};
  evaluation.towers[1].statistics.dead_features = 10;
  const std::vector<Warning> found = warnings(evaluation, tiny_pairs());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].text, HasSubstr("rows of different pairs have a mean cosine of 0.98"));
  EXPECT_EQ(found[1].kind, "dead features b");
  EXPECT_THAT(found[1].text, HasSubstr("tower b: dead features: 10 of 10 are zero for every held-out item"));
  EXPECT_THAT(found[1].text, HasSubstr("projector_b.out (now 12)"));
}

TEST(Towers, RefuseWhatDoesNotGoTogether) {
  PairRecipe recipe = tiny_pairs();
  recipe.b.projector.out = 7;
  EXPECT_THAT(message_of([&] {
                Pairing(recipe, {waves(40), {}});
              }),
              HasSubstr("towers that end equally wide, got 12 and 7 features"));
  const PairedData unequal = {waves(40).a, waves(60).b};
  EXPECT_THAT(message_of([&] {
                Pairing(tiny_pairs(), {unequal, {}});
              }),
              HasSubstr("equally many items of both towers, got 40 and 60"));
}

// Item i has two texts, which name it in other words.
class Phrases : public Dataset {
 public:
  explicit Phrases(int64_t items) : items_(items) {
    info_.name = "phrases";
    info_.text = true;
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return items_; }
  std::vector<std::string> texts(int64_t i) const override {
    return {"item" + std::to_string(i), "number" + std::to_string(i) + " again"};
  }

 private:
  DatasetInfo info_;
  int64_t items_;
};

TEST(Feed, OfTextsGivesTheItemsOfTheOtherFeedAndDrawsOneOfTheirTexts) {
  const auto phrases = std::make_shared<Phrases>(24);
  Recipe recipe = make_recipe({});
  recipe.train.batch = 8;
  recipe.train.threads = 1;
  ModelOptions model;
  model.backbone.name = "text-bag";
  const auto feed = make_feed(recipe, model, phrases, 1);
  EXPECT_EQ(feed->batches(), 3);
  std::set<std::string> drawn;
  for (int64_t epoch = 0; epoch < 6; ++epoch) {
    const std::vector<int64_t> order = epoch_order(24, recipe.train.seed, epoch);
    feed->start_epoch(epoch, 1);
    for (int64_t batch = 1; batch < 3; ++batch) {
      const at::Tensor ids = feed->next();
      ASSERT_EQ(ids.size(0), 8);
      for (int64_t row = 0; row < 8; ++row) {
        const int64_t item = order[static_cast<size_t>(8 * batch + row)];
        int matches = 0;
        for (const std::string& text : phrases->texts(item)) {
          const at::Tensor own = text_tensor(std::vector<std::string>{text}, model)[0];
          if (own.size(0) > ids.size(1) || !at::equal(own, ids[row].narrow(0, 0, own.size(0)))) continue;
          ++matches;
          drawn.insert(text.substr(0, 4));
        }
        EXPECT_EQ(matches, 1) << epoch << " " << item;
      }
    }
    EXPECT_FALSE(feed->next().defined());
  }
  EXPECT_EQ(drawn.size(), 2U);
  recipe.train.batch = 25;
  EXPECT_THAT(message_of([&] { make_feed(recipe, model, phrases, 0); }),
              HasSubstr("at least one batch of 25 items, got 24"));
}

TEST(Towers, OfVectorsAndTextsLearnAndGoOnBitForBit) {
  const auto phrases = std::make_shared<Phrases>(40);
  const std::vector<SettingsLayer> layers = {{"test",
                                              {{"data.with", "phrases"},
                                               {"train.epochs", int64_t{40}},
                                               {"train.batch", int64_t{20}},
                                               {"train.threads", int64_t{1}},
                                               {"backbone.hidden", int64_t{16}},
                                               {"text.buckets", int64_t{512}},
                                               {"projector.hidden", int64_t{16}},
                                               {"projector.out", int64_t{24}},
                                               {"optimiser.rate", 0.1}}}};
  PairRecipe recipe = make_pair_recipe(layers);
  const PairedData data = {waves(40).a, phrases};
  fit_pairs(recipe, layers, data);
  EXPECT_EQ(recipe.b.backbone.name, "text-bag");
  EXPECT_EQ(recipe.a.text.buckets, 512);
  Pairing whole(recipe, {data, data});
  train_steps(whole.trainer, 80);
  const Scalars measures = whole.task.evaluate({}).measures;
  EXPECT_GT(value_of(measures, "b_to_a_recall_at_5"), 0.5);
  EXPECT_EQ(value_of(measures, "held_out_pairs"), 40);
  Pairing first(recipe, {data, data});
  train_steps(first.trainer, 7);
  Pairing second(recipe, {data, data});
  second.trainer.restore(first.trainer.save());
  train_steps(second.trainer, 73);
  const Checkpoint expected = whole.trainer.save();
  for (const auto& [name, tensor] : second.trainer.save().tensors) {
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, expected.tensors.at(name).bytes)) << name;
  }
}

TEST(Feed, OfTwoTowersGivesTheSameItemsAndOtherViews) {
  DataOptions options;
  options.size = 24;
  const DatasetPtr sprites = open_dataset("sprites", options);
  Recipe recipe = make_recipe({});
  recipe.train.batch = 8;
  recipe.train.threads = 1;
  recipe.views = view_preset("none", 16);
  const auto batches = [&](int64_t view, int64_t first) {
    const auto feed = make_feed(recipe, {}, sprites, view);
    feed->start_epoch(2, first);
    std::vector<at::Tensor> rows;
    for (at::Tensor next = feed->next(); next.defined(); next = feed->next()) rows.push_back(next.clone());
    return rows;
  };
  const auto plain = batches(0, 0);
  ASSERT_EQ(plain.size(), 3U);
  EXPECT_TRUE(at::equal(at::cat(plain), at::cat(batches(1, 0))));
  EXPECT_TRUE(at::equal(plain[2], batches(0, 2)[0]));
  recipe.views = view_preset("weak", 16);
  EXPECT_FALSE(at::equal(at::cat(batches(0, 0)), at::cat(batches(1, 0))));
}

}  // namespace
}  // namespace orthant
