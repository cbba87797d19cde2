#include "learn/nn/gate.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/nn/model.h"
#include "orthant/io/safetensors.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::HasSubstr;

// Features of other means, deviations and shapes, the last ones with long tails.
at::Tensor batch(int64_t seed, int64_t rows = 512, int64_t features = 32) {
  at::manual_seed(static_cast<uint64_t>(seed));
  const at::Tensor normal = at::randn({rows, features});
  const at::Tensor tails = at::linspace(0, 1, features);
  return (normal + tails * normal.square()) * at::linspace(0.1, 9, features) + at::linspace(-20, 5, features);
}

at::Tensor active_rates(const at::Tensor& gated) { return gated.gt(0).to(at::kFloat).mean(0); }

TEST(Gate, StandardisesByTheBatchAndTakesTheThreshold) {
  Gate gate(2, {.standardise = true});
  const at::Tensor y = gate.forward(at::tensor({1.0F, 10.0F, 3.0F, 30.0F}).reshape({2, 2}));
  EXPECT_TRUE(at::allclose(y, at::tensor({-1.0F, -1.0F, 1.0F, 1.0F}).reshape({2, 2}), 0, 1e-4));
}

TEST(Gate, HoldsTheWantedShareOfZerosWithinATenth) {
  for (const bool standardise : {false, true}) {
    for (const double sparsity : {0.7, 0.9, 0.97}) {
      Gate gate(32, {.standardise = standardise, .sparsity = sparsity});
      for (int64_t step = 0; step < 200; ++step) gate.forward(batch(step));
      gate.train(false);
      const double on = active_rates(gate.forward(batch(1000, 4096))).mean().item<double>();
      EXPECT_NEAR(on, 1 - sparsity, 0.1 * (1 - sparsity)) << standardise << " " << sparsity;
    }
  }
}

// Items as they are may have other means and deviations than the views that training saw.
TEST(Gate, OnceSettledHoldsTheWantedShareOnOtherData) {
  for (const bool standardise : {false, true}) {
    for (const bool each : {false, true}) {
      Gate gate(32, {.standardise = standardise, .sparsity = 0.9, .each = each});
      for (int64_t step = 0; step < 100; ++step) gate.forward(batch(step));
      gate.train(false);
      const at::Tensor items = batch(1000, 4000) * 2 + 3;
      EXPECT_GT(active_rates(gate.forward(items)).mean().item<double>(), 0.13);
      EXPECT_FALSE(gate.is_settled());
      gate.settle(items);
      EXPECT_TRUE(gate.is_settled());
      const at::Tensor rates = active_rates(gate.forward(items));
      EXPECT_NEAR(rates.mean().item<double>(), 0.1, 1e-3) << standardise << each;
      if (each) {
        EXPECT_NEAR(rates.max().item<double>(), 0.1, 1e-3) << standardise;
      }
    }
  }
}

TEST(Gate, TrainingGoesOnAsIfItHadNeverSettled) {
  Gate settled(32, {.sparsity = 0.9});
  Gate other(32, {.sparsity = 0.9});
  for (int64_t step = 0; step < 20; ++step) {
    EXPECT_TRUE(settled.forward(batch(step)).equal(other.forward(batch(step)))) << step;
    settled.train(false);
    settled.settle(batch(step + 100) * 2);
    settled.train(true);
  }
}

TEST(Gate, WithoutAWishThereIsNothingToSettle) {
  Gate gate(32, {.floor = 0.01});
  gate.train(false);
  EXPECT_TRUE(gate.is_settled());
  const at::Tensor before = gate.forward(batch(1));
  gate.settle(batch(2));
  EXPECT_TRUE(gate.forward(batch(1)).equal(before));
}

TEST(Gate, CountsActiveFeaturesOfAnItem) {
  Gate gate(32, {.standardise = true, .active = 4});
  for (int64_t step = 0; step < 200; ++step) gate.forward(batch(step));
  gate.train(false);
  EXPECT_NEAR(gate.forward(batch(1000, 4096)).gt(0).sum(1).to(at::kFloat).mean().item<double>(), 4, 0.4);
}

TEST(Gate, AThresholdForEachHoldsTheShareOfEveryFeature) {
  Gate gate(32, {.standardise = true, .sparsity = 0.9, .each = true});
  for (int64_t step = 0; step < 400; ++step) gate.forward(batch(step));
  gate.train(false);
  const at::Tensor rates = active_rates(gate.forward(batch(1000, 8192)));
  EXPECT_GT(rates.min().item<double>(), 0.08);
  EXPECT_LT(rates.max().item<double>(), 0.12);
}

TEST(Gate, WithoutAWishTheThresholdStaysAtZero) {
  Gate gate(32, {.standardise = true});
  for (int64_t step = 0; step < 20; ++step) gate.forward(batch(step));
  gate.visit_buffers([](const std::string& name, at::Tensor& tensor) {
    if (name != "threshold") return;
    EXPECT_EQ(tensor.abs().max().item<float>(), 0);
  });
}

TEST(Gate, NoFeatureOfAGateThatStandardisesFadesAway) {
  Gate gate(2, {.standardise = true, .sparsity = 0.9});
  at::manual_seed(1);
  at::Tensor on;
  for (int64_t step = 0; step < 100; ++step) {
    on = active_rates(gate.forward(at::randn({512, 2}) * at::tensor({1e-2F, 1.0F}) - at::tensor({5.0F, 0.0F})));
  }
  EXPECT_GT(on.min().item<double>(), 0.05);  // the first is far below zero and hardly moves
}

ModelOptions gated_model(double sparsity) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 8, .hidden = 16, .depth = 1};
  options.projector = {.hidden = 16, .out = 12};
  options.activation = {.name = "rep_relu", .standardise = true, .sparsity = sparsity};
  return options;
}

TEST(Gate, AFileHasItFoldedIntoTheLastLayer) {
  const TemporaryFolder folder;
  Model model(gated_model(0.8), 3);
  at::manual_seed(5);
  for (int step = 0; step < 50; ++step) model.forward(at::randn({64, 8}));
  model.save(folder / "model");
  for (const std::string& name : io::SafeTensors::open(folder / "model").names()) {
    EXPECT_FALSE(name.starts_with("projector.gate")) << name;
  }
  Model loaded = Model::load(folder / "model");
  EXPECT_EQ(loaded.options().activation, without_gate(model.options().activation));
  const EvalScope eval(model);
  const EvalScope loaded_eval(loaded);
  const at::Tensor x = at::randn({256, 8});
  EXPECT_TRUE(at::allclose(model.forward(x), loaded.forward(x), 1e-4, 1e-5));
  EXPECT_GT(model.forward(x).eq(0).to(at::kFloat).mean().item<double>(), 0.6);
}

TEST(Gate, StartsAnewOnTheWeightsOfAFile) {
  const TemporaryFolder folder;
  Model model(gated_model(0.8), 3);
  at::manual_seed(5);
  const at::Tensor x = at::randn({512, 8});
  for (int step = 0; step < 100; ++step) model.forward(x);
  model.save(folder / "model");
  Model next(gated_model(0.8), 4);
  next.load_weights(folder / "model");
  for (int step = 0; step < 100; ++step) next.forward(x);
  const EvalScope eval(model);
  const EvalScope next_eval(next);
  // Not the same: what guards the division counts twice, and these features hardly vary.
  EXPECT_LT((model.forward(x) - next.forward(x)).abs().max().item<double>(), 0.2);
  EXPECT_GT(model.forward(x).max().item<double>(), 2);
}

TEST(Gate, RejectsWhatCannotBe) {
  EXPECT_THAT(message_of([] { Gate gate(8, {.active = 8}); }),
              HasSubstr("expected fewer active features than the 8 there are, got 8"));
  ModelOptions options = gated_model(0.5);
  options.projector.depth = 0;
  EXPECT_THAT(message_of([&] { Model model(options); }), HasSubstr("got a projector of depth 0"));
}

}  // namespace
}  // namespace orthant
