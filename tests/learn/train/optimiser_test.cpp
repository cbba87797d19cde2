#include "learn/train/optimiser.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/nn/encoder.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::formula;
using ::testing::HasSubstr;

Optimiser make_optimiser(std::vector<at::Tensor>& parameters, const OptimiserOptions& options, int threads = 1) {
  return Optimiser(
      [&](const TensorVisitor& visit) {
        for (size_t i = 0; i < parameters.size(); ++i) visit(std::to_string(i), parameters[i]);
      },
      options, threads);
}

OptimiserOptions golden_options(const std::string& name) {
  OptimiserOptions options;
  options.name = name == "lars_unclipped" ? "lars" : name;
  options.clip_rate = name != "lars_unclipped";
  options.weight_decay = 1e-2;
  return options;
}

TEST(Optimiser, TenStepsAreThoseOfPyTorch) {
  const auto golden = test::train_golden();
  for (const std::string name : {"lars", "lars_unclipped", "sgd", "adamw", "muon"}) {
    std::vector<at::Tensor> parameters = {formula({3, 4}, 0), formula({4}, 1), at::zeros({2, 2})};
    Optimiser optimiser = make_optimiser(parameters, golden_options(name));
    for (int64_t step = 0; step < 10; ++step) {
      for (size_t p = 0; p < parameters.size(); ++p) {
        parameters[p].mutable_grad() = formula(parameters[p].sizes().vec(), 10 + 3 * step + static_cast<int64_t>(p));
      }
      optimiser.step(0.1 * (1 - 0.05 * static_cast<double>(step)));
      const auto& expected = golden["optimisers"][name][static_cast<size_t>(step)];
      for (size_t p = 0; p < parameters.size(); ++p) {
        for (int64_t i = 0; i < parameters[p].numel(); ++i) {
          EXPECT_NEAR(parameters[p].data_ptr<float>()[i], expected[p][static_cast<size_t>(i)].get<double>(), 2e-6)
              << name << ", step " << step << ", parameter " << p << ", element " << i;
        }
      }
    }
  }
}

TEST(Optimiser, ResultsDoNotDependOnThreads) {
  std::vector<std::vector<at::Tensor>> ended;
  for (const int threads : {1, 2, 5}) {
    std::vector<at::Tensor> parameters = {formula({500, 411}, 0)};
    Optimiser optimiser = make_optimiser(parameters, {}, threads);
    for (int64_t step = 0; step < 3; ++step) {
      parameters[0].mutable_grad() = formula({500, 411}, 9 + step);
      optimiser.step(0.3);
    }
    ended.push_back(parameters);
  }
  EXPECT_TRUE(at::equal(ended[0][0], ended[1][0]));
  EXPECT_TRUE(at::equal(ended[0][0], ended[2][0]));
}

TEST(Optimiser, GradientsInAnotherMemoryOrderMeanTheSame) {
  std::vector<at::Tensor> plain = {formula({4, 3, 2, 2}, 0)};
  std::vector<at::Tensor> last = {plain[0].clone().contiguous(at::MemoryFormat::ChannelsLast)};
  Optimiser a = make_optimiser(plain, {});
  Optimiser b = make_optimiser(last, {});
  for (int step = 0; step < 3; ++step) {
    plain[0].mutable_grad() = formula({4, 3, 2, 2}, 5 + step);
    last[0].mutable_grad() = plain[0].grad();
    a.step(0.1);
    b.step(0.1);
  }
  EXPECT_TRUE(at::allclose(plain[0], last[0], 1e-6, 1e-7));
}

TEST(Optimiser, ParametersWithoutAGradientStay) {
  std::vector<at::Tensor> parameters = {formula({3, 4}, 0)};
  Optimiser optimiser = make_optimiser(parameters, {});
  optimiser.step(0.1);
  EXPECT_TRUE(at::equal(parameters[0], formula({3, 4}, 0)));
}

TEST(Optimiser, SomeParametersDoNotDecayAndAreNotScaled) {
  for (const std::string name : {"lars", "sgd", "adamw", "muon"}) {
    OptimiserOptions options = golden_options(name);
    options.exclude_vectors = false;
    std::vector<at::Tensor> parameters = {formula({4}, 0), formula({4}, 0), formula({4}, 0)};
    const auto visit_all = [&](const TensorVisitor& visit) {
      for (size_t i = 0; i < 2; ++i) visit(i == 0 ? "weights" : "importance", parameters[i]);
    };
    Optimiser optimiser(visit_all, options, 1, [](const std::string& it) { return it != "importance"; });
    OptimiserOptions free = options;
    free.name = name == "lars" ? "sgd" : name;
    free.weight_decay = 0;
    Optimiser expected([&](const TensorVisitor& visit) { visit("importance", parameters[2]); }, free, 1);
    for (int64_t step = 0; step < 3; ++step) {
      for (at::Tensor& p : parameters) p.mutable_grad() = formula({4}, 7 + step);
      optimiser.step(0.1);
      expected.step(0.1);
    }
    EXPECT_TRUE(at::equal(parameters[1], parameters[2])) << name;
    EXPECT_FALSE(at::equal(parameters[0], parameters[1])) << name;
  }
}

TEST(Optimiser, MuonLeavesTablesAndSingleRowsToAdamw) {
  OptimiserOptions muon;
  muon.name = "muon";
  OptimiserOptions adamw;
  adamw.name = "adamw";
  for (const std::string name : {kWordTable, kPlaceTable, kNodeTable, "pos_embed", "fc.weight"}) {
    const std::vector<int64_t> shape = {name == "pos_embed" ? 1 : 6, 4};
    std::vector<at::Tensor> parameters = {formula(shape, 0), formula(shape, 0)};
    std::vector<std::string> state;
    for (size_t i = 0; i < 2; ++i) {
      Optimiser optimiser([&](const TensorVisitor& visit) { visit("text." + name, parameters[i]); },
                          i == 0 ? muon : adamw, 1);
      parameters[i].mutable_grad() = formula(shape, 3);
      optimiser.step(0.01);
      if (i == 0) optimiser.visit_state([&](const std::string& key, at::Tensor&) { state.push_back(key); });
    }
    const bool map = name == "fc.weight";
    EXPECT_EQ(at::equal(parameters[0], parameters[1]), !map) << name;
    EXPECT_EQ(state.front(), (map ? "momentum.text." : "first.text.") + name);
  }
}

TEST(Optimiser, AnUnknownNameIsRefused) {
  std::vector<at::Tensor> parameters = {formula({2}, 0)};
  EXPECT_THAT(test::message_of([&] { make_optimiser(parameters, {.name = "adam"}); }),
              HasSubstr("expected lars, sgd, adamw or muon, got 'adam'"));
}

}  // namespace
}  // namespace orthant
