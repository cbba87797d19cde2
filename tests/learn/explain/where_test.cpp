#include "learn/explain/where.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "learn/nn/nonneg.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using heat::HeatMaps;
using heat::Method;
using test::message_of;
using testing::HasSubstr;

ModelOptions options_of(const std::string& backbone, int64_t depth, bool batch_norm = false) {
  ModelOptions options;
  options.backbone.name = backbone;
  options.backbone.width = 8;
  options.projector = {.hidden = 24, .out = 10, .depth = depth, .batch_norm = batch_norm};
  options.activation.name = "relu";
  return options;
}

at::Tensor pictures(int64_t count = 2, int64_t side = 32) {
  at::manual_seed(1);
  return at::randn({count, 3, side, side});
}

// A model whose batch norms have seen something, in evaluation mode.
Model warmed(const ModelOptions& options) {
  Model model(options, 3);
  {
    const at::NoGradGuard off;
    at::manual_seed(7);
    for (int i = 0; i < 3; ++i) model.forward(at::randn({8, 3, 32, 32}) * 1.5 + 0.2);
  }
  model.train(false);
  return model;
}

// Pictures of the middle colour of each.
at::Tensor plain_of(const at::Tensor& input) {
  return std::get<0>(input.flatten(2).median(2)).unsqueeze(2).unsqueeze(3).expand_as(input).contiguous();
}

at::Tensor map_of(const HeatMaps& maps, int64_t m) {
  const auto row = maps.maps.row(m);
  return at::tensor(std::vector<float>(row.begin(), row.end()));
}

std::map<std::string, at::Tensor> projector_tensors(Model& model) {
  std::map<std::string, at::Tensor> tensors;
  const auto take = [&](const std::string& name, at::Tensor& t) { tensors[name] = t.detach(); };
  model.projector().visit_parameters(take);
  return tensors;
}

// The oracle: W2 diag(1[pre > 0]) W1 written out, and the bias that goes with it.
TEST(Where, PartsAreThoseOfTheFormulaAndAddUpWithTheEffectiveBias) {
  for (const std::string backbone : {"conv-mini", "resnet18"}) {
    Model model = warmed(options_of(backbone, 2));
    const at::Tensor input = pictures();
    const Where where(model, input, {.places = true});
    const std::vector<int64_t> features = {0, 3, 9};
    const auto maps = where.maps(where.of_features(features));
    ASSERT_EQ(maps.size(), 2U);
    const auto tensors = projector_tensors(model);
    const EvalScope eval(model);
    const at::Tensor grid = model.encoder().grid(input);
    const at::Tensor plain = model.encoder().grid(plain_of(input));
    for (int64_t n = 0; n < 2; ++n) {
      const HeatMaps& found = maps[static_cast<size_t>(n)];
      EXPECT_EQ(found.method, Method::kAdditive);
      EXPECT_EQ(found.rows, grid.size(2));
      EXPECT_EQ(found.cols, grid.size(3));
      const at::Tensor a = grid[n].flatten(1);  // [F, p]
      const at::Tensor a0 = plain[n].flatten(1);
      const at::Tensor pre = at::matmul(tensors.at("0.weight"), a.mean(1)) + tensors.at("0.bias");
      const at::Tensor on = pre.gt(0).to(at::kFloat);
      const at::Tensor j = at::matmul(tensors.at("2.weight") * on, tensors.at("0.weight"));
      const at::Tensor bias = at::matmul(tensors.at("2.weight") * on, tensors.at("0.bias")) + tensors.at("2.bias");
      for (int64_t m = 0; m < 3; ++m) {
        const int64_t f = features[static_cast<size_t>(m)];
        const at::Tensor wanted = at::matmul(j[f], a - a0) / a.size(1);
        EXPECT_TRUE(at::allclose(map_of(found, m), wanted, 1e-4, 1e-6)) << backbone;
        const float rest = (at::dot(j[f], a0.mean(1)) + bias[f]).item<float>();
        EXPECT_NEAR(found.rests[static_cast<size_t>(m)], rest, 1e-4);
        EXPECT_NEAR(map_of(found, m).sum().item<float>() + rest,
                    model.project(model.backbone(input))[n][f].item<float>(), 1e-4)
            << backbone;
      }
    }
  }
}

TEST(Where, PartsAndRestMakeTheValueOfAnyProjector) {
  for (const int64_t depth : {0, 1, 2, 4}) {
    for (const bool batch_norm : {false, true}) {
      for (const bool gated : {false, true}) {
        if (gated && depth == 0) continue;
        ModelOptions options = options_of("conv-mini", depth, batch_norm);
        if (gated) options.activation.sparsity = 0.8;
        if (gated) options.activation.standardise = true;
        Model model = warmed(options);
        const Where where(model, pictures(3, 40));
        const EvalScope eval(model);
        const at::Tensor y = model.project(model.backbone(pictures(3, 40)));
        EXPECT_TRUE(at::allclose(where.before(), y, 1e-5, 1e-5));
        const auto maps = where.maps(where.of_features(std::vector<int64_t>{1, 7}));
        for (int64_t n = 0; n < 3; ++n) {
          const HeatMaps& found = maps[static_cast<size_t>(n)];
          EXPECT_EQ(found.rows, 32);
          EXPECT_EQ(found.cols, 32);
          for (const size_t m : {size_t{0}, size_t{1}}) {
            const float sum = map_of(found, static_cast<int64_t>(m)).sum().item<float>();
            EXPECT_NEAR(sum + found.rests[m], y[n][m == 0 ? 1 : 7].item<float>(), 1e-4) << depth << batch_norm << gated;
          }
        }
      }
    }
  }
}

// What the map says happens when a place is a little stronger happens.
TEST(Where, PartsAreFiniteDifferencesOfThePlaces) {
  Model model = warmed(options_of("conv-mini", 3, true));
  const Where where(model, pictures(1), {.places = true});
  const HeatMaps maps = where.maps(where.of_features(std::vector<int64_t>{4})).front();
  const EvalScope eval(model);
  const at::Tensor grid = model.encoder().grid(pictures(1)).flatten(2);
  const at::Tensor beyond = grid - model.encoder().grid(plain_of(pictures(1))).flatten(2);
  for (const int64_t place : {0, 5, 15}) {
    constexpr float kStep = 1e-2F;
    const auto value = [&](float step) {
      at::Tensor moved = grid.clone();
      moved.select(2, place).add_(beyond.select(2, place), step);
      return model.project(moved.mean(2))[0][4].item<double>();
    };
    EXPECT_NEAR((value(kStep) - value(-kStep)) / (2 * kStep), maps.maps(0, place), 2e-3) << place;
  }
}

TEST(Where, PixelsHaveWhatThePlacesHave) {
  Model model = warmed(options_of("conv-mini", 2));
  for (const int64_t side : {30, 70}) {
    const Where fine(model, pictures(2, side));
    const Where coarse(model, pictures(2, side), {.places = true});
    const auto features = fine.of_features(std::vector<int64_t>{1, 6});
    const auto a = fine.maps(features);
    const auto b = coarse.maps(features);
    for (size_t n = 0; n < 2; ++n) {
      EXPECT_EQ(a[n].rows, std::min<int64_t>(side, 32));
      EXPECT_EQ(b[n].rows, side / 8);
      for (const int64_t m : {0, 1}) {
        EXPECT_NEAR(map_of(a[n], m).sum().item<float>(), map_of(b[n], m).sum().item<float>(), 1e-4);
        EXPECT_NEAR(a[n].rests[static_cast<size_t>(m)], b[n].rests[static_cast<size_t>(m)], 1e-5);
      }
    }
  }
}

// Where a picture is as the plain one, nothing can be added: all of it lies on the figure.
TEST(Where, AFigureOnAPlainGroundHasAllParts) {
  Model model = warmed(options_of("conv-mini", 2));
  at::Tensor input = at::full({1, 3, 32, 32}, 0.3F);
  input.narrow(2, 6, 9).narrow(3, 14, 11).copy_(pictures(1).narrow(2, 6, 9).narrow(3, 14, 11));
  const Where where(model, input);
  const HeatMaps found = where.maps(where.of_features(std::vector<int64_t>{5})).front();
  const at::Tensor map = map_of(found, 0).reshape({32, 32});
  const at::Tensor on = map.narrow(0, 6, 9).narrow(1, 14, 11);
  EXPECT_GT(on.abs().sum().item<float>(), 1e-3);
  EXPECT_NEAR(map.abs().sum().item<float>(), on.abs().sum().item<float>(), 1e-6);
  EXPECT_NEAR(on.sum().item<float>() + found.rests[0], where.before()[0][5].item<float>(), 1e-4);
}

TEST(Where, AMatchIsTheSimilarityTakenApart) {
  Model model = warmed(options_of("conv-mini", 2));
  const Where where(model, pictures(2));
  const at::Tensor z = where.features();
  const at::Tensor others = z.flip(0);
  const auto maps = where.maps(where.of_matches(others));
  for (int64_t n = 0; n < 2; ++n) {
    const float cosine = (z[n] * others[n]).sum().item<float>() / (z[n].norm() * others[n].norm()).item<float>();
    const HeatMaps& found = maps[static_cast<size_t>(n)];
    EXPECT_NEAR(found.values[0], cosine, 1e-5);
    EXPECT_NEAR(map_of(found, 0).sum().item<float>() + found.rests[0], cosine, 1e-4);
    EXPECT_GT(cosine, 0.1);
  }
  const auto none = where.maps(where.of_matches(at::zeros_like(z)));
  EXPECT_EQ(none.front().values[0], 0);
}

TEST(Where, OcclusionIsWhatCoveringACellTakes) {
  Model model = warmed(options_of("conv-mini", 2));
  const at::Tensor input = pictures(1);
  const Where where(model, input, {.method = Method::kOcclusion, .occlusion_grid = 4});
  const HeatMaps maps = where.maps(where.of_features(std::vector<int64_t>{2})).front();
  EXPECT_EQ(maps.method, Method::kOcclusion);
  EXPECT_EQ(maps.rows, 4);
  EXPECT_EQ(maps.rests[0], 0);
  const EvalScope eval(model);
  const auto value = [&](const at::Tensor& picture) {
    return model.project(model.backbone(picture))[0][2].item<float>();
  };
  for (const auto& [row, col] : {std::pair{0, 0}, std::pair{1, 2}, std::pair{3, 3}}) {
    at::Tensor covered = input.clone();
    for (int64_t c = 0; c < 3; ++c) {
      covered[0][c].narrow(0, row * 8, 8).narrow(1, col * 8, 8).fill_(input[0][c].mean().item<float>());
    }
    EXPECT_NEAR(maps.maps(0, row * 4 + col), value(input) - value(covered), 1e-4) << row << " " << col;
  }
}

TEST(Where, NetworksWithoutAMeanOverPlacesAreCovered) {
  Model model(options_of("vit-tiny", 2), 1);
  model.train(false);
  const Where where(model, pictures(1), {.occlusion_grid = 2});
  EXPECT_EQ(where.maps(where.of_features(std::vector<int64_t>{0})).front().method, Method::kOcclusion);
  EXPECT_THAT(message_of([&] { Where(model, pictures(1), {.method = Method::kAdditive}); }),
              HasSubstr("additive maps, got vit-tiny"));
}

TEST(Where, LeavesTheModelAsItWas) {
  Model model(options_of("conv-mini", 2), 1);
  const Where where(model, pictures(1));
  where.maps(where.of_features(std::vector<int64_t>{0}));
  EXPECT_TRUE(model.training());
  model.visit_parameters([](const std::string& name, at::Tensor& t) { EXPECT_FALSE(t.grad().defined()) << name; });
}

TEST(Where, RefusesWhatMakesNoSense) {
  Model model = warmed(options_of("conv-mini", 2));
  const Where where(model, pictures(1));
  EXPECT_THAT(message_of([&] { where.of_features(std::vector<int64_t>{10}); }),
              HasSubstr("expected a feature from 0 to 9, got 10"));
  EXPECT_THAT(message_of([&] { where.maps(at::zeros({1, 10})); }), HasSubstr("expected weights [1, M, 10]"));
  EXPECT_THAT(message_of([&] { where.of_matches(at::zeros({1, 9})); }), HasSubstr("expected features [1, 10]"));
  EXPECT_THAT(message_of([&] { Where(model, at::zeros({3, 32, 32})); }), HasSubstr("expected pictures [N, C, H, W]"));
  EXPECT_THAT(message_of([&] { Where(model, pictures(1), {.method = Method::kOcclusion, .occlusion_grid = 33}); }),
              HasSubstr("expected a grid of 1 to 32 cells a side, got 33"));
  ModelOptions vectors = options_of("mlp", 2);
  vectors.backbone.dims = 4;
  Model mlp(vectors, 1);
  EXPECT_THAT(message_of([&] { Where(mlp, pictures(1)); }), HasSubstr("expected a model of pictures, got mlp"));
}

}  // namespace
}  // namespace orthant
