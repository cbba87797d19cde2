#include "learn/nn/nonneg.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orthant/core/settings.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kNames = {"none",     "relu", "rep_relu",   "gelu", "sigmoid",
                                         "softplus", "exp",  "leaky_relu", "topk"};

at::Tensor row(std::vector<double> values) {
  return at::tensor(values, at::kDouble).reshape({1, static_cast<int64_t>(values.size())});
}

at::Tensor gradient_of(const at::Tensor& z, const ActivationOptions& options, double blend = 1) {
  const at::Tensor leaf = z.clone().requires_grad_(true);
  nonneg(leaf, options, blend).sum().backward();
  return leaf.grad();
}

double gelu_slope(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0)) + z * std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
}

TEST(Nonneg, ValuesAreThoseOfTheDefinitions) {
  const double x = -0.5;
  const double y = 1.5;
  const auto expect = [&](const std::string& name, double at_x, double at_y) {
    const at::Tensor out = nonneg(row({x, y}), {.name = name, .topk = 2});
    EXPECT_NEAR(out[0][0].item<double>(), at_x, 1e-12) << name;
    EXPECT_NEAR(out[0][1].item<double>(), at_y, 1e-12) << name;
  };
  expect("none", x, y);
  expect("relu", 0, y);
  expect("rep_relu", 0, y);
  expect("gelu", x * 0.5 * std::erfc(-x / std::sqrt(2.0)), y * 0.5 * std::erfc(-y / std::sqrt(2.0)));
  expect("sigmoid", 1 / (1 + std::exp(-x)), 1 / (1 + std::exp(-y)));
  expect("softplus", std::log1p(std::exp(x)), std::log1p(std::exp(y)));
  expect("exp", std::exp(x), std::exp(y));
  expect("leaky_relu", 0.01 * x, y);
  expect("topk", 0, y);
}

TEST(Nonneg, RepReluHasTheGradientOfGelu) {
  const at::Tensor z = at::linspace(-6, 6, 241, at::kDouble).reshape({1, -1});
  const at::Tensor gradient = gradient_of(z, {.name = "rep_relu"});
  for (int64_t i = 0; i < z.size(1); ++i) {
    EXPECT_NEAR(gradient[0][i].item<double>(), gelu_slope(z[0][i].item<double>()), 1e-12);
  }
}

TEST(Nonneg, RepReluSlopeIsLeastAtMinusRootTwo) {
  const at::Tensor z = at::linspace(-4, 4, 80001, at::kDouble).reshape({1, -1});
  const at::Tensor gradient = gradient_of(z, {.name = "rep_relu"});
  const int64_t lowest = gradient.argmin().item<int64_t>();
  EXPECT_NEAR(z[0][lowest].item<double>(), -std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(gradient.min().item<double>(), -0.1289, 1e-4);
}

TEST(Nonneg, RepReluPassesAnUpstreamGradientThrough) {
  const at::Tensor z = row({-1.0, 0.5}).requires_grad_(true);
  (nonneg(z, {.name = "rep_relu"}) * row({3.0, -2.0})).sum().backward();
  EXPECT_NEAR(z.grad()[0][0].item<double>(), 3 * gelu_slope(-1), 1e-12);
  EXPECT_NEAR(z.grad()[0][1].item<double>(), -2 * gelu_slope(0.5), 1e-12);
}

TEST(Nonneg, GradientsAgreeWithFiniteDifferences) {
  at::manual_seed(1);
  const at::Tensor z = at::randn({3, 7}, at::kDouble);
  const double step = 1e-6;
  for (const std::string& name : kNames) {
    if (name == "rep_relu") continue;  // its gradient is not that of its value, on purpose
    for (const double blend : {1.0, 0.3}) {
      const ActivationOptions options{.name = name, .topk = 3};
      const at::Tensor gradient = gradient_of(z, options, blend);
      for (int64_t i = 0; i < z.numel(); ++i) {
        const at::Tensor nudge = at::zeros_like(z);
        nudge.view(-1)[i] = step;
        const double slope =
            (nonneg(z + nudge, options, blend) - nonneg(z - nudge, options, blend)).sum().item<double>() / (2 * step);
        EXPECT_NEAR(gradient.view(-1)[i].item<double>(), slope, 1e-7) << name << " at " << i;
      }
    }
  }
}

TEST(Nonneg, TopkKeepsTheLargestAndNothingNegative) {
  const at::Tensor z = row({0.1, 3.0, -1.0, 2.0, -0.5, 0.2});
  EXPECT_TRUE(at::equal(nonneg(z, {.name = "topk", .topk = 2}), row({0, 3, 0, 2, 0, 0})));
  EXPECT_TRUE(at::equal(nonneg(-z.abs(), {.name = "topk", .topk = 4}), at::zeros_like(z)));
  EXPECT_TRUE(at::equal(gradient_of(z, {.name = "topk", .topk = 2}), row({0, 1, 0, 1, 0, 0})));
}

TEST(Nonneg, TopkKeepsAtMostKOfEqualValues) {
  const at::Tensor out = nonneg(at::ones({4, 10}), {.name = "topk", .topk = 3});
  EXPECT_TRUE(at::equal(out.sum(1), at::full({4}, 3.0f)));
}

TEST(Nonneg, BlendMixesValueAndGradient) {
  const at::Tensor z = row({-2.0, -0.3, 0.7, 4.0});
  for (const double a : {0.0, 0.25, 0.5, 1.0}) {
    const ActivationOptions options{.name = "rep_relu"};
    EXPECT_TRUE(at::allclose(nonneg(z, options, a), (1 - a) * z + a * at::relu(z)));
    EXPECT_TRUE(at::allclose(gradient_of(z, options, a), (1 - a) * at::ones_like(z) + a * gradient_of(z, options)));
  }
}

TEST(Nonneg, ThoseThatClaimToBeNonNegativeAre) {
  const at::Tensor z = at::linspace(-20, 20, 4001).reshape({1, -1});
  for (const std::string& name : kNames) {
    const bool nonnegative = nonneg(z, {.name = name}).min().item<float>() >= 0;
    EXPECT_EQ(nonnegative, is_nonnegative({.name = name})) << name;
  }
}

TEST(Nonneg, ListsTheNamesItKnows) {
  ActivationOptions options;
  for_each_field(
      options, [](const Field& field, auto&) { EXPECT_TRUE(field.name != "name" || field.limits.choices == kNames); });
}

TEST(Nonneg, RejectsWhatItDoesNotKnow) {
  const at::Tensor z = at::zeros({2, 4});
  EXPECT_THAT(test::message_of([&] { nonneg(z, {.name = "swish"}); }), HasSubstr("leaky_relu, topk, got 'swish'"));
  EXPECT_THAT(test::message_of([&] { nonneg(z, {.name = "topk", .topk = 5}); }),
              HasSubstr("expected topk from 1 to the row's length (4), got 5"));
  EXPECT_THAT(test::message_of([&] { nonneg(z, {.name = "topk", .topk = 0}); }), HasSubstr("got 0"));
  EXPECT_THAT(test::message_of([&] { nonneg(z, {}, 1.5); }), HasSubstr("expected a blend from 0 to 1, got 1.5"));
  EXPECT_THAT(test::message_of([&] { nonneg(z, {}, NAN); }), HasSubstr("expected a blend from 0 to 1"));
}

}  // namespace
}  // namespace orthant
