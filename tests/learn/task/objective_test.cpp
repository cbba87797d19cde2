#include "learn/task/objective.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "learn/loss/unit.h"
#include "learn/nn/nonneg.h"
#include "learn/task/momentum_network.h"
#include "learn/train/optimiser.h"
#include "tests/learn/train/support.h"

namespace orthant {
namespace {

using test::formula;
using ::testing::Each;
using ::testing::StartsWith;

const std::vector<std::string> kMethods = {"moco", "byol", "simsiam", "swav"};

ModelOptions tiny_network(bool sigma, bool batch_norm = true) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5, .depth = 2, .batch_norm = batch_norm};
  options.activation.name = sigma ? "rep_relu" : "none";
  return options;
}

// The settings of tests/golden/learn/methods_golden.py.
Recipe golden_recipe(const std::string& loss) {
  Recipe recipe;
  recipe.loss = {.name = loss,
                 .temperature = 0.5,
                 .momentum = 0.9,
                 .queue = 17,
                 .predictor_hidden = 7,
                 .swav_prototypes = 4,
                 .swav_epsilon = 0.25,
                 .swav_frozen = 0.2};
  return recipe;
}

// A network and its objective, in step with each other.
struct Learner {
  Learner(const ModelOptions& network, const Recipe& recipe_)
      : recipe(recipe_), model(network, 3), objective(make_objective(recipe, model)) {
    model.train(true);
  }

  void visit_parameters(const TensorVisitor& visit) {
    model.visit_parameters(visit);
    objective->visit_parameters(visit);
  }

  std::map<std::string, at::Tensor> tensors() {
    std::map<std::string, at::Tensor> all;
    const auto keep = [&](const std::string& name, at::Tensor& tensor) { all[name] = tensor; };
    visit_parameters(keep);
    objective->visit_state(with_prefix("objective.", keep));
    return all;
  }

  Pass backward(const at::Tensor& rows, PassOptions options, int64_t step, int64_t steps = 10) {
    options.loss = recipe.loss;
    return objective->backward(model, rows, options, {.step = step, .steps = steps});
  }

  Recipe recipe;
  Model model;
  std::unique_ptr<Objective> objective;
};

void fill_by_formula(Learner& learner) {
  int64_t phase = 0;
  const auto fill = [&](const std::string& name, at::Tensor& weights) {
    const at::NoGradGuard no_gradients;
    weights.copy_(formula(weights.sizes().vec(), phase++));
    if (name.ends_with("1.weight") && weights.dim() == 1) weights.add_(1);
    if (name == "prototypes") weights.div_(weights.norm(2, 1, true));
  };
  learner.model.visit_parameters(fill);
  phase = 20;
  learner.objective->visit_parameters(fill);
}

void expect_values(const at::Tensor& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.numel(), std::ssize(expected)) << what;
  const at::Tensor flat = found.detach().contiguous().view(-1);
  for (int64_t i = 0; i < flat.numel(); ++i) {
    EXPECT_NEAR(flat.data_ptr<float>()[i], expected[static_cast<size_t>(i)], 2e-5) << what << ", element " << i;
  }
}

std::map<std::string, at::Tensor> gradients_of(Learner& learner) {
  std::map<std::string, at::Tensor> gradients;
  learner.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
  return gradients;
}

TEST(Objective, TenStepsOfEveryMethodAreThoseOfPyTorch) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/methods.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases.size(), 14U);
  for (const auto& golden : cases) {
    const std::string name = golden["loss"];
    const int64_t views = golden["views"];
    Learner learner(tiny_network(golden["sigma"]), golden_recipe(name));
    fill_by_formula(learner);
    Optimiser optimiser([&](const TensorVisitor& visit) { learner.visit_parameters(visit); },
                        {.name = "sgd", .weight_decay = 1e-2}, 1);
    int64_t step = 0;
    for (const double expected : golden["losses"]) {
      optimiser.clear_gradients();
      const at::Tensor rows = 2 * formula({views * 6, 6}, 50 + step);
      const Pass pass = learner.backward(rows, {.views = views, .views_apart = golden["views_apart"]}, step);
      EXPECT_NEAR(pass.loss.value, expected, 2e-5) << name << ", step " << step;
      optimiser.step(0.005);
      learner.objective->step(learner.model, {.step = step, .steps = 10});
      ++step;
    }
    auto found = learner.tensors();
    for (const auto& [weights, values] : golden["weights"].items()) {
      expect_values(found.at(weights), values, name + " " + weights);
    }
    if (name == "moco") {
      const at::Tensor keys = std::get<0>(found.at("objective.queue.keys").reshape(-1).sort());
      expect_values(keys, golden["queue"], "queue");
    }
  }
}

TEST(Objective, ChunksGiveTheGradientOfTheWholeBatch) {
  for (const std::string& method : kMethods) {
    Learner whole(tiny_network(true, false), golden_recipe(method));
    Learner pieces(tiny_network(true, false), golden_recipe(method));
    for (int64_t step = 5; step < 8; ++step) {  // past the frozen prototypes, and with keys in the queue
      if (step == 5) {
        for (Learner* learner : {&whole, &pieces}) learner->backward(2 * formula({12, 6}, 1), {}, 0);
      }
      const at::Tensor rows = 2 * formula({12, 6}, 7 + step);
      std::map<std::string, at::Tensor> gradients;
      for (Learner* learner : {&whole, &pieces}) {
        learner->visit_parameters([](const std::string&, at::Tensor& p) { p.mutable_grad() = at::Tensor(); });
      }
      const Pass a = whole.backward(rows, {}, step);
      const Pass b = pieces.backward(rows, {.chunk = 5}, step);
      EXPECT_NEAR(a.loss.value, b.loss.value, 1e-5) << method;
      whole.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
      pieces.visit_parameters([&](const std::string& name, at::Tensor& p) {
        // The gradient of a bias in front of batch norm is nothing but rounding.
        const double rounding = name == "predictor.0.bias" ? 1e-4 : 1e-6;
        EXPECT_TRUE(at::allclose(gradients.at(name), p.grad(), 1e-3, rounding)) << method << " " << name;
      });
      for (Learner* learner : {&whole, &pieces}) learner->objective->step(learner->model, {.step = step, .steps = 10});
    }
  }
}

TEST(Objective, OnlyTheNetworkAndWhatLearnsBesideItGetGradients) {
  const std::map<std::string, std::string> beside = {
      {"moco", ""}, {"byol", "predictor."}, {"simsiam", "predictor."}, {"swav", "prototypes"}};
  for (const std::string& method : kMethods) {
    Learner learner(tiny_network(true), golden_recipe(method));
    learner.backward(2 * formula({12, 6}, 3), {}, 0);
    learner.objective->step(learner.model, {.step = 0, .steps = 10});
    learner.backward(2 * formula({12, 6}, 4), {}, 9);
    std::vector<std::string> extra;
    learner.visit_parameters(
        [&](const std::string& name, at::Tensor& p) { EXPECT_TRUE(p.grad().defined()) << method << " " << name; });
    learner.objective->visit_parameters([&](const std::string& name, at::Tensor&) { extra.push_back(name); });
    EXPECT_THAT(extra, Each(StartsWith(beside.at(method)))) << method;
    EXPECT_EQ(extra.empty(), method == "moco");
    learner.objective->visit_state([&](const std::string& name, at::Tensor& tensor) {
      EXPECT_FALSE(tensor.grad().defined()) << method << " " << name;
    });
  }
}

// The gradient of a network beside a companion is that of the network alone and, `weight` times, that of another one
// with the same backbone, whose projector is the companion.
TEST(Objective, ACompanionAddsItsOwnGradientToTheBackboneAlone) {
  constexpr double kWeight = 0.4;
  const at::Tensor rows = 2 * formula({12, 6}, 7);
  for (const int64_t chunk : {0, 5}) {
    Recipe recipe;
    recipe.loss.temperature = 0.5;
    Learner alone(tiny_network(true, false), recipe);
    recipe.loss.companion = kWeight;
    Learner both(tiny_network(true, false), recipe);
    ModelOptions of_companion = tiny_network(false);
    of_companion.projector = {.out = kCompanionFeatures, .depth = 1};
    recipe.loss = {.temperature = kCompanionTemperature};
    Learner companion(of_companion, recipe);
    std::map<std::string, at::Tensor> weights;
    both.objective->visit_parameters([&](const std::string& name, at::Tensor& p) { weights[name] = p.detach(); });
    ASSERT_EQ(weights.size(), 2U);
    companion.model.visit_parameters([&](const std::string& name, at::Tensor& p) {
      if (name.starts_with("projector.")) p.detach().copy_(weights.at("companion." + name.substr(10)));
    });

    const Pass a = alone.backward(rows, {}, 0);
    const Pass b = both.backward(rows, {.chunk = chunk}, 0);
    companion.backward(rows, {}, 0);
    EXPECT_NEAR(a.loss.value, b.loss.value, 1e-6);
    EXPECT_TRUE(at::allclose(a.z, b.z, 1e-5, 1e-6));
    const auto of_alone = gradients_of(alone);
    const auto beside = gradients_of(companion);
    for (const auto& [name, gradient] : gradients_of(both)) {
      const bool is_projector = name.starts_with("projector.");
      at::Tensor expected =
          name.starts_with("companion.") ? kWeight * beside.at("projector." + name.substr(10)) : of_alone.at(name);
      if (!is_projector && of_alone.contains(name)) expected = expected + kWeight * beside.at(name);
      EXPECT_TRUE(at::allclose(gradient, expected, 1e-4, 1e-6)) << name << ", chunk " << chunk;
    }
  }
}

TEST(Objective, PrototypesAreUnitRowsThatStayAsTheyAreAtFirst) {
  Learner learner(tiny_network(true), golden_recipe("swav"));
  at::Tensor prototypes;
  learner.objective->visit_parameters([&](const std::string&, at::Tensor& p) { prototypes = p; });
  EXPECT_TRUE(at::allclose(prototypes.norm(2, 1), at::ones({4})));
  learner.backward(2 * formula({12, 6}, 3), {}, 1);
  EXPECT_FALSE(prototypes.grad().defined());
  learner.backward(2 * formula({12, 6}, 3), {}, 2);
  ASSERT_TRUE(prototypes.grad().defined());
  {
    const at::NoGradGuard no_gradients;
    prototypes.mul_(3).add_(0.1);
  }
  learner.objective->step(learner.model, {.step = 2, .steps = 10});
  EXPECT_TRUE(at::allclose(prototypes.norm(2, 1), at::ones({4})));
}

TEST(Objective, TheHeldOutLossNeedsNoQueueAndLeavesEverythingAsItIs) {
  const at::Tensor z = at::relu(formula({12, 5}, 9)).contiguous();
  for (const std::string& method : kMethods) {
    Learner learner(tiny_network(true), golden_recipe(method));
    Learner other(tiny_network(true), golden_recipe(method));
    other.backward(2 * formula({12, 6}, 3), {}, 0);
    if (method == "moco") other.objective->step(other.model, {.step = 0, .steps = 10});
    std::map<std::string, at::Tensor> before;
    for (const auto& [name, tensor] : learner.tensors()) before[name] = tensor.detach().clone();
    const at::NoGradGuard no_gradients;
    const LossResult result = learner.objective->held_out(z, 2, learner.recipe.loss);
    EXPECT_TRUE(std::isfinite(result.value)) << method;
    EXPECT_GT(result.positive_cosine, result.negative_cosine - 1);
    for (const auto& [name, tensor] : learner.tensors()) EXPECT_TRUE(at::equal(tensor, before.at(name))) << name;
    if (method == "moco") {
      EXPECT_EQ(result.value, other.objective->held_out(z, 2, other.recipe.loss).value) << "whatever the queue holds";
    }
  }
}

TEST(Objective, LossesOfViewsHaveNothingOfTheirOwn) {
  Learner learner(tiny_network(true), golden_recipe("infonce"));
  const auto none = [](const std::string& name, at::Tensor&) { FAIL() << name; };
  learner.objective->visit_parameters(none);
  learner.objective->visit_state(none);
  const at::Tensor rows = 2 * formula({12, 6}, 3);
  Model same(tiny_network(true), 3);
  EXPECT_EQ(learner.backward(rows, {}, 0).loss.value,
            forward_backward(same, rows, {.loss = learner.recipe.loss}).loss.value);
}

TEST(MomentumNetwork, FollowsEveryWeightExactlyAndNoBuffer) {
  Model online(tiny_network(true), 1);
  online.train(true);
  MomentumNetwork slow(online);
  slow.become(online);
  std::map<std::string, at::Tensor> first;
  online.visit_parameters([&](const std::string& name, at::Tensor& p) { first[name] = p.detach().clone(); });
  const at::Tensor rows = 2 * formula({12, 6}, 3);
  forward_only(online, rows, {});  // moves the running statistics
  int64_t phase = 0;
  online.visit_parameters(
      [&](const std::string&, at::Tensor& p) { p.detach().copy_(formula(p.sizes().vec(), phase++)); });
  slow.follow(online, 0.75);
  std::map<std::string, at::Tensor> now;
  slow.visit_state([&](const std::string& name, at::Tensor& tensor) { now[name] = tensor.detach().clone(); });
  online.visit_parameters([&](const std::string& name, at::Tensor& p) {
    EXPECT_TRUE(at::equal(now.at(name), 0.75 * first.at(name) + 0.25 * p.detach())) << name;
  });
  EXPECT_EQ(now.at("projector.1.num_batches_tracked").item<int64_t>(), 0);
  slow.become(online);
  slow.visit_state([&](const std::string& name, at::Tensor& tensor) { now[name] = tensor.detach().clone(); });
  EXPECT_EQ(now.at("projector.1.num_batches_tracked").item<int64_t>(), 1);
  EXPECT_TRUE(at::equal(slow.forward(rows, {}), forward_only(online, rows, {})));
  EXPECT_FALSE(slow.forward(rows, {}).requires_grad());
  slow.follow(online, 1);
  slow.visit_state([&](const std::string& name, at::Tensor& tensor) {
    EXPECT_TRUE(!first.contains(name) || at::equal(tensor, now.at(name))) << name;
  });
}

TEST(MomentumNetwork, SigmaIsBehindItsProjectorToo) {
  Model online(tiny_network(true), 1);
  MomentumNetwork slow(online);
  slow.become(online);
  const at::Tensor rows = 2 * formula({12, 6}, 3);
  EXPECT_GE(slow.forward(rows, {}).min().item<double>(), 0);
  EXPECT_LT(slow.forward(rows, {.blend = 0}).min().item<double>(), 0);
}

}  // namespace
}  // namespace orthant
