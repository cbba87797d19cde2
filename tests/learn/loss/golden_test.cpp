#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "learn/loss/loss.h"
#include "learn/nn/nonneg.h"

namespace orthant {
namespace {

// The formula of tests/golden/learn/loss.py.
at::Tensor golden_rows(int64_t rows, int64_t dims) {
  const at::Tensor i = at::arange(rows, at::kDouble).unsqueeze(1);
  const at::Tensor j = at::arange(dims, at::kDouble).unsqueeze(0);
  return at::sin(0.7 * i + 1.3 * j + 0.37 * i * j).to(at::kFloat);
}

TEST(LossGolden, ValuesAndGradientsAreThoseOfPyTorch) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/loss.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases.size(), 48U);
  for (const auto& golden : cases) {
    const auto name = golden.at("loss").get<std::string>();
    const auto activation = golden.at("activation").get<std::string>();
    const int64_t views = golden.at("views");
    const at::Tensor z = golden_rows(golden.at("rows"), golden.at("dims")).requires_grad_(true);
    const LossResult result = contrastive_loss(nonneg(z, {.name = activation}), views, {.name = name});
    result.loss.backward();

    const auto value = golden.at("value").get<double>();
    EXPECT_NEAR(result.value, value, 2e-6 * std::max(1.0, std::abs(value))) << name << " " << activation;
    const auto stored = golden.at("gradient").get<std::vector<double>>();
    const at::Tensor expected = at::tensor(stored, at::kDouble).reshape(z.sizes());
    const double error = (z.grad().to(at::kDouble) - expected).norm().item<double>();
    EXPECT_LE(error, 1e-5 * expected.norm().item<double>()) << name << " " << activation << " " << views << " views";
  }
}

}  // namespace
}  // namespace orthant
