#include "learn/task/pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/nn/nonneg.h"
#include "learn/train/optimiser.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::formula;

TEST(Training, TenStepsOfATinyModelAreThoseOfPyTorch) {
  const auto golden = test::train_golden();
  for (const auto& curve : golden["curves"]) {
    ModelOptions options;
    options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
    options.projector = {.hidden = 8, .out = 5, .depth = 2, .batch_norm = true};
    options.activation.name = curve["activation"];
    Model model(options);
    model.train(true);
    const std::vector<std::string> names = golden["parameters"];
    model.visit_parameters([&](const std::string& name, at::Tensor& weights) {
      const auto found = std::ranges::find(names, name);
      ASSERT_NE(found, names.end()) << name;
      at::Tensor values = formula(weights.sizes().vec(), found - names.begin());
      if (name == "projector.1.weight") values += 1;
      weights.detach().copy_(values);
    });
    OptimiserOptions following;
    following.name = curve["optimiser"];
    following.weight_decay = 1e-2;
    Optimiser optimiser([&](const TensorVisitor& visit) { model.visit_parameters(visit); }, following, 1);
    const at::Tensor batch = 2 * formula({8, 6}, 50);
    for (const double expected : curve["losses"]) {
      optimiser.clear_gradients();
      const Pass pass = forward_backward(model, batch, {});
      EXPECT_NEAR(pass.loss.value, expected, 1e-4) << following.name;
      optimiser.step(0.005);
    }
  }
}

TEST(Training, ChunksGiveTheGradientOfTheWholeBatch) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5, .depth = 2};
  Model whole(options, 3);
  Model pieces(options, 3);
  const at::Tensor batch = 2 * formula({12, 6}, 7);
  const Pass a = forward_backward(whole, batch, {});
  const Pass b = forward_backward(pieces, batch, {.chunk = 5});
  EXPECT_NEAR(a.loss.value, b.loss.value, 1e-6);
  EXPECT_TRUE(at::allclose(a.features, b.features, 1e-5, 1e-6));
  std::map<std::string, at::Tensor> gradients;
  whole.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
  pieces.visit_parameters([&](const std::string& name, at::Tensor& p) {
    EXPECT_TRUE(at::allclose(gradients.at(name), p.grad(), 1e-4, 1e-6)) << name;
  });
}

ModelOptions with_batch_norm() {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5, .depth = 2, .batch_norm = true};
  return options;
}

// Two views with means of their own: together they have other statistics than apart.
at::Tensor unlike_views() { return at::cat({2 * formula({6, 6}, 7), 3 * formula({6, 6}, 8) + 1}); }

std::map<std::string, at::Tensor> buffers_of(Model& model) {
  std::map<std::string, at::Tensor> buffers;
  model.visit_buffers([&](const std::string& name, at::Tensor& buffer) { buffers[name] = buffer.clone(); });
  return buffers;
}

TEST(Training, ViewsPassBatchNormTogetherUnlessTheyAreToPassApart) {
  const at::Tensor batch = unlike_views();
  Model apart(with_batch_norm(), 3);
  Model together(with_batch_norm(), 3);
  Model alone(with_batch_norm(), 3);
  for (Model* model : {&apart, &together, &alone}) model->train(true);
  const Pass a = forward_backward(apart, batch, {.views_apart = true});
  const Pass t = forward_backward(together, batch, {});
  std::vector<at::Tensor> z;
  for (const at::Tensor& view : batch.split(6)) {
    z.push_back(nonneg(alone.project(alone.backbone(view)), alone.options().activation, 1).detach());
  }
  EXPECT_TRUE(at::equal(a.z, at::cat(z)));
  EXPECT_FALSE(at::allclose(a.z, t.z, 1e-2, 1e-2));
  const auto one_by_one = buffers_of(alone);
  const auto at_once = buffers_of(together);
  bool different = false;
  for (const auto& [name, buffer] : buffers_of(apart)) {
    EXPECT_TRUE(at::equal(buffer, one_by_one.at(name))) << name;
    different = different || !at::equal(buffer, at_once.at(name));
  }
  EXPECT_TRUE(different);
}

TEST(Training, ChunksOfViewsApartNeverHoldTwoViews) {
  const at::Tensor batch = unlike_views();
  Model whole(with_batch_norm(), 3);
  Model pieces(with_batch_norm(), 3);
  for (Model* model : {&whole, &pieces}) model->train(true);
  const Pass a = forward_backward(whole, batch, {.views_apart = true});
  const Pass b = forward_backward(pieces, batch, {.views_apart = true, .chunk = 6});
  EXPECT_TRUE(at::allclose(a.z, b.z, 1e-5, 1e-6));
  std::map<std::string, at::Tensor> gradients;
  whole.visit_parameters([&](const std::string& name, at::Tensor& p) { gradients[name] = p.grad(); });
  pieces.visit_parameters([&](const std::string& name, at::Tensor& p) {
    EXPECT_TRUE(at::allclose(gradients.at(name), p.grad(), 1e-4, 1e-5)) << name;
  });
  // Twelve rows in pieces of ten would be ten and two; views of six make two pieces of six.
  Model larger(with_batch_norm(), 3);
  larger.train(true);
  EXPECT_TRUE(at::allclose(forward_backward(larger, batch, {.views_apart = true, .chunk = 10}).z, a.z, 1e-5, 1e-6));
}

// Blended out, sigma+ leaves signed features, from which the gate must not have taken anything.
TEST(Pass, SignedFeaturesOfAWarmUpKnowOfNoThreshold) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5};
  options.activation.sparsity = 0.6;
  Model low(options, 3);
  Model high(options, 3);
  high.visit_buffers([](const std::string& name, at::Tensor& tensor) {
    if (name == "projector.gate.threshold") tensor.fill_(0.7);
  });
  const at::Tensor batch = 2 * formula({8, 6}, 50);
  const Pass a = forward_backward(low, batch, {.blend = 0});
  const Pass b = forward_backward(high, batch, {.blend = 0});
  EXPECT_TRUE(at::allclose(a.z, b.z, 1e-5, 1e-6));
  EXPECT_LT(a.z.min().item<float>(), 0);
  EXPECT_FALSE(at::allclose(forward_backward(low, batch, {}).z, forward_backward(high, batch, {}).z, 1e-5, 1e-6));
}

TEST(Pass, TermsAddToTheGradientAndNotToTheLossThatIsTold) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 8, .depth = 2};
  options.projector = {.hidden = 8, .out = 5};
  Model plain(options, 3);
  Model heavy(options, 3);
  const at::Tensor batch = 2 * formula({8, 6}, 50);
  const double value = forward_backward(plain, batch, {}).loss.value;
  EXPECT_EQ(forward_backward(heavy, batch, {.terms = {.l1 = 1}}).loss.value, value);
  std::vector<at::Tensor> slopes;
  plain.visit_parameters([&](const std::string&, at::Tensor& weights) { slopes.push_back(weights.grad()); });
  bool differ = false;
  size_t next = 0;
  heavy.visit_parameters([&](const std::string&, at::Tensor& weights) {
    differ = differ || !at::allclose(weights.grad(), slopes[next++]);
  });
  EXPECT_TRUE(differ);
  EXPECT_THAT(test::message_of([&] { forward_backward(plain, batch, {.chunk = 4, .terms = {.l1 = 1}}); }),
              testing::HasSubstr("expected no terms with rows in pieces of 4"));
}

}  // namespace
}  // namespace orthant
