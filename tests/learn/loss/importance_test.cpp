#include "learn/loss/importance.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "learn/nn/nonneg.h"
#include "tests/learn/loss/finite_differences.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

at::Tensor floats(const std::vector<float>& values, int64_t columns) {
  return at::tensor(values, at::kFloat).reshape({-1, columns});
}

// The parameter of an importance, to be changed.
at::Tensor parameter_of(Importance& importance) {
  at::Tensor found;
  importance.visit_parameters([&](const std::string&, at::Tensor& q) { found = q; });
  return found;
}

// The formulas of tests/golden/learn/importance.py.
at::Tensor golden_rows(int64_t rows, int64_t dims) {
  const at::Tensor i = at::arange(rows, at::kDouble).unsqueeze(1);
  const at::Tensor j = at::arange(dims, at::kDouble).unsqueeze(0);
  return at::sin(0.7 * i + 1.3 * j + 0.37 * i * j).to(at::kFloat);
}

at::Tensor golden_parameter(int64_t dims) {
  return (0.02 * at::sin(2.0 + 1.1 * at::arange(dims, at::kDouble))).to(at::kFloat);
}

void expect_close(const at::Tensor& found, const std::vector<double>& stored, const std::string& what) {
  const at::Tensor expected = at::tensor(stored, at::kDouble).reshape(found.sizes());
  const double error = (found.to(at::kDouble) - expected).norm().item<double>();
  EXPECT_LE(error, 1e-5 * expected.norm().item<double>()) << what;
}

TEST(Importance, StartsAlikeAndKeepsItsMean) {
  Importance importance(5);
  EXPECT_TRUE(at::equal(importance.values(), at::ones({5})));
  EXPECT_NEAR(importance.effective(), 5, 1e-9);
  const at::Tensor q = parameter_of(importance);
  EXPECT_TRUE(at::equal(q, at::zeros({5})));
  q.detach().copy_(at::linspace(-0.3, 0.3, 5));
  importance.hold();
  EXPECT_FLOAT_EQ(q.min().item<float>(), -0.1F);
  EXPECT_FLOAT_EQ(q.max().item<float>(), 0.3F);
  EXPECT_NEAR(importance.values().mean().item<double>(), 1, 1e-6);
  EXPECT_GT(importance.values().min().item<double>(), 0);
}

TEST(Importance, ByHand) {
  Importance importance(2);
  parameter_of(importance).detach().copy_(at::tensor(std::vector<float>{0, 0.01F}));
  const double other = std::log(1 + (std::exp(1.0) - 1) * std::exp(1.0));  // softplus(a + 1), softplus(a) = 1
  EXPECT_NEAR(importance.values()[0].item<double>(), 2 / (1 + other), 1e-6);
  EXPECT_NEAR(importance.values()[1].item<double>(), 2 * other / (1 + other), 1e-6);
  EXPECT_NEAR(importance.effective(), (1 + other) * (1 + other) / (1 + other * other), 1e-5);
}

TEST(ImportantLoss, ValuesAndGradientsAreThoseOfPyTorch) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/importance.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases.size(), 24U);
  for (const auto& golden : cases) {
    const std::string what = golden["loss"].get<std::string>() + " " + golden["activation"].get<std::string>();
    const at::Tensor y = golden_rows(golden["rows"], golden["dims"]).requires_grad_(true);
    Importance importance(golden["dims"]);
    const at::Tensor q = parameter_of(importance);
    q.detach().copy_(golden_parameter(golden["dims"]));
    const ImportantLoss found =
        important_loss(nonneg(y, {.name = golden["activation"]}), importance.values(), golden["views"],
                       {.name = golden["loss"], .decorrelation = golden["weight"]});
    found.result.loss.backward();
    EXPECT_NEAR(found.result.value, golden["value"].get<double>(), 5e-6) << what;
    EXPECT_NEAR(found.decorrelation, golden["term"].get<double>(), 2e-6) << what;
    const double whole = golden["value"].get<double>() + golden["weight"].get<double>() * golden["term"].get<double>();
    EXPECT_NEAR(found.result.loss.item<double>(), whole, 1e-5) << what;
    expect_close(y.grad(), golden["rows_gradient"], what);
    expect_close(q.grad(), golden["importance_gradient"], what + ", importance");
  }
}

TEST(ImportantLoss, ByHandOfTwoFeatures) {
  // Two views of (1, 1) and two of (1, -1): their cosine is (s_0 - s_1) / (s_0 + s_1) = 0.5.
  const at::Tensor z = floats({1, 1, 1, -1, 1, 1, 1, -1}, 2);
  const at::Tensor s = at::tensor(std::vector<float>{1.5F, 0.5F});
  const ImportantLoss infonce = important_loss(z, s, 2, {.name = "infonce", .temperature = 0.25, .decorrelation = 3});
  EXPECT_NEAR(infonce.result.value, std::log(1 + 2 * std::exp(-2)), 1e-6);
  EXPECT_NEAR(infonce.result.positive_cosine, 1, 1e-6);
  EXPECT_NEAR(infonce.result.negative_cosine, 0.5, 1e-6);
  EXPECT_NEAR(infonce.decorrelation, 0, 1e-6);
  // Products of a pair s_0 + s_1 = 2, of others s_0 - s_1 = 1.
  EXPECT_NEAR(important_loss(z, s, 2, {.name = "spectral"}).result.value, -2 * 2 + 1, 1e-6);
}

TEST(ImportantLoss, OfEqualImportanceIsThePlainLossToTheLastBit) {
  for (const std::string name : {"infonce", "spectral"}) {
    const LossOptions options{.name = name, .decorrelation = 0};
    const at::Tensor plain = golden_rows(12, 5).requires_grad_(true);
    const at::Tensor weighted = golden_rows(12, 5).requires_grad_(true);
    const LossResult expected = contrastive_loss(plain, 2, options);
    const LossResult found = important_loss(weighted, Importance(5).values(), 2, options).result;
    EXPECT_EQ(found.value, expected.value) << name;
    EXPECT_EQ(found.positive_cosine, expected.positive_cosine);
    expected.loss.backward();
    found.loss.backward();
    EXPECT_TRUE(at::equal(plain.grad(), weighted.grad())) << name;
  }
}

TEST(ImportantLoss, TheWholeGradientIsThatOfFiniteDifferences) {
  for (const std::string name : {"infonce", "spectral"}) {
    const LossOptions options{.name = name, .temperature = 0.5, .decorrelation = 0.4};
    Importance importance(4);
    const at::Tensor q = parameter_of(importance);
    q.detach().copy_(golden_parameter(4));
    const at::Tensor z = golden_rows(8, 4).requires_grad_(true);
    important_loss(z, importance.values(), 2, options).result.loss.backward();
    const auto value = [&] {
      const at::NoGradGuard no_gradients;
      const ImportantLoss found = important_loss(z, importance.values(), 2, options);
      return found.result.value + options.decorrelation * found.decorrelation;
    };
    for (const at::Tensor& inputs : {z, q}) {
      const float step = inputs.is_same(q) ? 1e-4F : 2.5e-3F;
      float* const at = inputs.data_ptr<float>();
      for (int64_t i = 0; i < inputs.numel(); ++i) {
        const float before = at[i];
        at[i] = before + step;
        const double above = value();
        at[i] = before - step;
        const double below = value();
        at[i] = before;
        const double slope = inputs.grad().data_ptr<float>()[i];
        EXPECT_NEAR((above - below) / (2 * step), slope, 5e-3 * std::max(1.0, std::abs(slope))) << name << " " << i;
      }
    }
  }
}

TEST(Decorrelation, ByHand) {
  // Unit rows (0.6, 0.8) and (1, 0): G = (1.36, 0.48; 0.48, 0.64) of trace 2.
  EXPECT_NEAR(feature_decorrelation(floats({3, 4, 2, 0}, 2), {}).item<double>(), 0.36, 1e-6);
  // As they are: G = diag(4, 1), scaled to diag(1.6, 0.4).
  EXPECT_NEAR(feature_decorrelation(floats({2, 0, 0, 1}, 2), {.name = "spectral"}).item<double>(), 0.36, 1e-6);
}

TEST(Decorrelation, UnitRowsReachItsTarget) {
  const at::Tensor axes = at::eye(6).repeat({4, 1}) * 3;
  EXPECT_NEAR(feature_decorrelation(axes, {}).item<double>(), 0, 1e-10);
  EXPECT_NEAR(feature_decorrelation(axes, {.name = "spectral"}).item<double>(), 0, 1e-10);
}

TEST(Decorrelation, DoesNotSeeTheScaleAndIsFiniteOfZeroRows) {
  const at::Tensor z = golden_rows(20, 5);
  for (const std::string name : {"infonce", "spectral"}) {
    const LossOptions options{.name = name};
    EXPECT_NEAR(feature_decorrelation(z, options).item<double>(), feature_decorrelation(7 * z, options).item<double>(),
                1e-5);
    EXPECT_NEAR(feature_decorrelation(at::zeros({4, 3}), options).item<double>(), 1, 1e-6);
  }
}

TEST(Decorrelation, GradientsAreThoseOfFiniteDifferences) {
  for (const std::string name : {"infonce", "spectral"}) {
    test::expect_finite_differences(test::random_rows(7, 4, 3),
                                    [&](const at::Tensor& z) { return feature_decorrelation(z, {.name = name}); });
  }
}

TEST(ImportantLoss, RefusesOtherLossesAndAnotherNumberOfFeatures) {
  const at::Tensor z = golden_rows(8, 4);
  EXPECT_THAT(test::message_of([&] { important_loss(z, at::ones({4}), 2, {.name = "vicreg"}); }),
              HasSubstr("expected infonce or spectral, got 'vicreg'"));
  EXPECT_THAT(test::message_of([&] { important_loss(z, at::ones({3}), 2, {}); }),
              HasSubstr("expected an importance for each of 4 features, got 3 numbers"));
}

}  // namespace
}  // namespace orthant
