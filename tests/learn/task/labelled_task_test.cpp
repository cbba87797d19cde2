#include "learn/task/labelled_task.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "learn/task/supervised_classifier.h"
#include "learn/train/embed.h"
#include "learn/train/optimiser.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Clusters;
using test::formula;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;

// The six vectors and classes of tests/golden/learn/supervise_golden.py.
class GoldenItems : public Dataset {
 public:
  GoldenItems() {
    info_.name = "golden";
    info_.split = "train";
    info_.dims = 6;
    info_.class_names = {"a", "b", "c"};
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 6; }
  std::span<const float> vector(int64_t i) const override { return {values_.data_ptr<float>() + 6 * i, 6}; }
  int64_t label(int64_t i) const override { return std::vector<int64_t>{0, 2, 1, 0, 2, 2}.at(static_cast<size_t>(i)); }

 private:
  DatasetInfo info_;
  at::Tensor values_ = 2 * formula({6, 6}, 50);
};

// A recipe on vectors that learns by `method` in milliseconds.
Recipe labelled_recipe(const std::string& method, const Settings& more = {}) {
  Settings settings = more;
  settings["train.method"] = method;
  Recipe recipe = make_recipe({{"test", settings}});
  recipe.data.source = "clusters";
  recipe.data.vector_noise = 0;
  recipe.data.vector_dropout = 0;
  recipe.train.epochs = 3;
  recipe.train.batch = 8;
  recipe.train.threads = 1;
  recipe.backbone = {.name = "mlp", .dims = 6, .hidden = 16, .depth = 1};
  recipe.projector = {.hidden = 16, .out = 12, .depth = recipe.projector.depth};
  recipe.eval.size = 16;
  recipe.eval.bank = 32;
  recipe.eval.k = 3;
  return recipe;
}

// The first number of parameters under a name.
std::map<std::string, at::Tensor> parameters_of(Task& task) {
  std::map<std::string, at::Tensor> all;
  task.visit_parameters([&](const std::string& name, at::Tensor& tensor) { all[name] = tensor; });
  return all;
}

std::vector<double> classifier_of(LabelledTask& task) {
  const test::TemporaryFolder folder;
  task.publish(folder / "");
  const fit::LogisticModel model = read_classifier(folder / "model.safetensors").model;
  std::vector<double> values(model.weights.values().begin(), model.weights.values().end());
  values.insert(values.end(), model.bias.begin(), model.bias.end());
  return values;
}

TEST(LabelledTask, TenStepsOfEveryMethodAreThoseOfPyTorch) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/supervise.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases.size(), 7U);
  for (const auto& golden : cases) {
    Recipe recipe = labelled_recipe(golden["method"]);
    recipe.train.batch = 6;
    recipe.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
    recipe.projector = {.hidden = 8, .out = 5, .depth = golden["projector"].get<bool>() ? 2 : 0};
    recipe.labels.smoothing = golden["smoothing"];
    recipe.labels.nonneg_weights = golden["nonneg_weights"];
    LabelledTask task(recipe, {std::make_shared<GoldenItems>(), nullptr, golden["weights"]});
    int64_t phase = 0;
    task.visit_parameters([&](const std::string&, at::Tensor& weights) {
      weights.detach().copy_(formula(weights.sizes().vec(), phase++));
    });
    Optimiser optimiser([&](const TensorVisitor& visit) { task.visit_parameters(visit); },
                        {.name = golden["optimiser"], .weight_decay = 1e-2}, 1);
    int64_t epoch = 0;
    for (const double expected : golden["losses"]) {
      task.begin_epoch(epoch++, 0);
      optimiser.clear_gradients();
      EpochTally tally;
      EXPECT_NEAR(value_of(*task.backward({}, tally), "loss"), expected, 2e-5) << golden["method"];
      optimiser.step(0.005);
    }
    const std::vector<double> expected = golden["classifier"];
    const std::vector<double> found = classifier_of(task);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-5) << golden["method"] << " " << i;
  }
}

// Trains to the end of the recipe; what the last evaluation told.
Scalars learned(LabelledTask& task, const Recipe& recipe) {
  Trainer trainer(task, recipe.optimiser, 1);
  while (!trainer.finished()) {
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
    trainer.end_epoch();
  }
  return task.evaluate({}).measures;
}

TEST(LabelledTask, EveryMethodLearnsClassesAndTellsWhatItIsWorth) {
  const auto data = std::make_shared<Clusters>(128, 6, 4);
  for (const std::string method : {"ce", "nce", "supcon", "nsupcon"}) {
    Recipe recipe = labelled_recipe(method, {{"projector.depth", int64_t{2}}});
    recipe.train.epochs = 60;
    recipe.train.batch = 32;
    recipe.optimiser.rate = 0.03;
    LabelledTask task(recipe, {data, std::make_shared<Clusters>(40, 6, 4)});
    const Scalars told = learned(task, recipe);
    EXPECT_GT(value_of(told, "test_accuracy"), 0.95) << method;
    EXPECT_LT(value_of(told, "test_loss"), is_supcon(method) ? std::log(4.0) : 0.5) << method;
    EXPECT_EQ(value_of(told, "test_items"), 16) << "eval.size";
    EXPECT_EQ(value_of(told, "non_negative") == 1, has_sigma(method)) << method;
    EXPECT_EQ(find(told, "held_out_loss").has_value(), is_supcon(method)) << method;
    for (const char* name :
         {"consistency", "consistency_abs", "consistency_top", "consistency_top_chance", "sparsity", "correlation",
          "active_features", "effective_rank", "dead_features", "knn_backbone", "knn_projector"}) {
      EXPECT_TRUE(find(told, name)) << name;
    }
  }
}

TEST(LabelledTask, TheClassifierInTheFileReadsTheEmbeddings) {
  const auto data = std::make_shared<Clusters>(64, 6, 4);
  for (const std::string method : {"nce", "supcon"}) {
    Recipe recipe = labelled_recipe(method, {{"projector.depth", int64_t{2}}, {"labels.nonneg_weights", true}});
    recipe.train.epochs = 10;
    recipe.optimiser.rate = 0.05;
    recipe.eval.size = 64;
    LabelledTask task(recipe, {data, data});
    const Scalars told = learned(task, recipe);
    const test::TemporaryFolder folder;
    task.publish(folder / "");
    Model model = Model::load(folder / "model.safetensors");
    const Embeddings embeddings = embed(model, data, {.threads = 1});
    const TrainedClassifier classifier = read_classifier(folder / "model.safetensors");
    EXPECT_EQ(classifier.facts.at("layer"), "projector");
    EXPECT_THAT(classifier.model.weights.values(), Each(Ge(0.0F)));
    EXPECT_THAT(classifier.model.weights.values(), Contains(0.0F)) << "exact zeros";
    EXPECT_DOUBLE_EQ(fit::accuracy(classifier.model, embeddings, embeddings.labels).top1,
                     value_of(told, "test_accuracy"))
        << method;
  }
}

TEST(LabelledTask, TheNetworkOfSupconNeverKnowsOfTheClassifierThatWatches) {
  const auto data = std::make_shared<Clusters>(32, 6, 4);
  const auto network_after = [&](const Recipe& recipe, std::vector<double> weights) {
    LabelledTask task(recipe, {data, data, std::move(weights)});
    learned(task, recipe);
    auto all = parameters_of(task);
    return std::pair{all.extract("fc.weight").mapped(), all.at("projector.0.weight")};
  };
  const Recipe recipe = labelled_recipe("nsupcon");
  Recipe other = recipe;
  other.labels.smoothing = 0.3;
  const auto [fc, projector] = network_after(recipe, {});
  const auto [other_fc, other_projector] = network_after(other, {1, 2, 3, 4});
  EXPECT_TRUE(at::equal(projector, other_projector));
  EXPECT_FALSE(at::equal(fc, other_fc));
}

TEST(LabelledTask, WithoutAProjectorReluOfFeaturesThatAreNeverNegativeIsCrossEntropyItself) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  std::vector<std::map<std::string, at::Tensor>> ended;
  for (const Settings& settings :
       {Settings{{"train.method", std::string("ce")}},
        Settings{{"train.method", std::string("nce")}, {"activation.name", std::string("relu")}},
        Settings{{"train.method", std::string("nce")}}}) {
    const Recipe recipe = labelled_recipe(to_string(settings.at("train.method")), settings);
    LabelledTask task(recipe, {data, data});
    learned(task, recipe);
    ended.push_back(parameters_of(task));
  }
  for (const auto& [name, tensor] : ended[0]) EXPECT_TRUE(at::equal(tensor, ended[1].at(name))) << name;
  EXPECT_FALSE(at::equal(ended[0].at("fc.weight"), ended[2].at("fc.weight"))) << "rep_relu has another gradient";
}

TEST(LabelledTask, ChunksGiveTheGradientOfTheWholeBatchAndTheClassifiers) {
  const auto data = std::make_shared<Clusters>(8, 6, 4);
  for (const std::string method : {"nce", "nsupcon"}) {
    Recipe recipe = labelled_recipe(method, {{"projector.depth", int64_t{2}}});
    LabelledTask whole(recipe, {data, data});
    recipe.train.chunk = 3;
    LabelledTask pieces(recipe, {data, data});
    EpochTally tally;
    whole.begin_epoch(0, 0);
    pieces.begin_epoch(0, 0);
    const Scalars a = *whole.backward({}, tally);
    const Scalars b = *pieces.backward({}, tally);
    EXPECT_NEAR(value_of(a, "loss"), value_of(b, "loss"), 1e-6);
    EXPECT_EQ(value_of(a, "accuracy"), value_of(b, "accuracy"));
    const auto others = parameters_of(pieces);
    for (const auto& [name, tensor] : parameters_of(whole)) {
      EXPECT_TRUE(at::allclose(tensor.grad(), others.at(name).grad(), 1e-4, 1e-6)) << method << " " << name;
    }
  }
}

TEST(LabelledTask, ARestoredTrainerGoesOnBitForBitFromAnyStep) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  for (const std::string method : {"ce", "nce", "supcon", "nsupcon"}) {
    Recipe recipe = labelled_recipe(method, {{"labels.nonneg_weights", true}});
    recipe.train.activation_warmup = has_sigma(method) ? 0.5 : 0;
    const auto run_to = [&](LabelledTask& task, Trainer& trainer, int64_t steps) {
      while (!trainer.finished() && trainer.position().step < steps) {
        trainer.begin_epoch();
        while (trainer.position().step < steps && trainer.backward()) trainer.step();
        if (trainer.position().batch == trainer.batches()) trainer.end_epoch();
      }
      return classifier_of(task);
    };
    LabelledTask task(recipe, {data, data});
    Trainer trainer(task, recipe.optimiser, 1);
    const std::vector<double> expected = run_to(task, trainer, 1000);
    for (const int64_t stop : {0, 4, 5, 13}) {
      LabelledTask first(recipe, {data, data});
      Trainer before(first, recipe.optimiser, 1);
      run_to(first, before, stop);
      LabelledTask second(recipe, {data, data});
      Trainer after(second, recipe.optimiser, 1);
      after.restore(before.save());
      EXPECT_EQ(run_to(second, after, 1000), expected) << method << " from " << stop;
    }
  }
}

}  // namespace
}  // namespace orthant
