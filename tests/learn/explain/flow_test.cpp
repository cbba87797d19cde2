#include "learn/explain/flow.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "learn/nn/model.h"
#include "learn/nn/ops.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

// A network of a few layers, written down.
class HandMade : public Encoder {
 public:
  explicit HandMade(std::function<at::Tensor(const at::Tensor&)> layers) : layers_(std::move(layers)) {}
  at::Tensor forward(const at::Tensor& input) override { return grid(input).mean(at::IntArrayRef{2, 3}); }
  at::Tensor grid(const at::Tensor& input) override { return layers_(input); }
  void visit_parameters(const TensorVisitor&) override {}
  void visit_buffers(const TensorVisitor&) override {}
  void train(bool) override {}
  void join(const Group&, const Group&) override {}
  int64_t features() const override { return 2; }
  std::vector<int64_t> input_shape() const override { return {1, -1, -1}; }
  double flops(int64_t) const override { return 0; }

 private:
  std::function<at::Tensor(const at::Tensor&)> layers_;
};

at::Tensor normalised(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                      const at::Tensor& residual) {
  return ops::batch_norm_eval(x, scale, shift, at::zeros_like(scale), at::ones_like(scale), residual, true, 0);
}

// Two figures on a plain ground, a bright one and a dark one, and a network whose channels like one of them each: all
// of a channel's parts lie on its figure, though its windows reach further.
TEST(Flow, FindsThePlantedFigure) {
  at::Tensor picture = at::full({1, 1, 16, 16}, 0.25F);
  picture.narrow(2, 2, 3).narrow(3, 3, 4).fill_(1);
  picture.narrow(2, 10, 4).narrow(3, 9, 3).fill_(-0.5F);
  const at::Tensor plain = at::full({1, 1, 16, 16}, 0.25F);
  const at::Tensor weights = at::cat({at::ones({1, 1, 3, 3}), -at::ones({1, 1, 3, 3})});
  HandMade network([&](const at::Tensor& x) {
    return normalised(ops::conv2d(x, weights, 1, 1), at::ones({2}), at::tensor({-2.25F, 2.25F}), {});
  });
  const Flow flow(network, picture, plain);
  for (int64_t channel = 0; channel < 2; ++channel) {
    at::Tensor parts = at::zeros_like(flow.grid());
    parts.select(1, channel).copy_((flow.grid() - flow.other_grid()).select(1, channel));
    const at::Tensor pixels = flow.to_pixels(parts);
    const at::Tensor figure = channel == 0 ? picture.gt(0.25F)[0] : picture.lt(0.25F)[0];
    EXPECT_NEAR(pixels.sum().item<float>(), parts.sum().item<float>(), 1e-4);
    EXPECT_NEAR((pixels * figure).sum().item<float>(), parts.sum().item<float>(), 1e-4) << channel;
    EXPECT_GT(pixels.sum().item<float>(), 1);
    EXPECT_GE(pixels.min().item<float>(), 0);
  }
}

// Shares by the sign rule, unit by unit.
at::Tensor naive_shares(const at::Tensor& parts, const at::Tensor& moved, const at::Tensor& weight, int64_t stride,
                        int64_t padding) {
  at::Tensor below = at::zeros_like(moved);
  const auto from = moved.accessor<float, 3>();
  const auto w = weight.accessor<float, 4>();
  const auto above = parts.accessor<float, 3>();
  auto to = below.accessor<float, 3>();
  const auto each = [&](int64_t k, int64_t y, int64_t x,
                        const std::function<void(int64_t, int64_t, int64_t, double)>& visit) {
    for (int64_t c = 0; c < weight.size(1); ++c) {
      for (int64_t i = 0; i < weight.size(2); ++i) {
        for (int64_t j = 0; j < weight.size(3); ++j) {
          const int64_t row = y * stride - padding + i;
          const int64_t col = x * stride - padding + j;
          if (row < 0 || col < 0 || row >= moved.size(1) || col >= moved.size(2)) continue;
          visit(c, row, col, static_cast<double>(w[k][c][i][j]) * from[c][row][col]);
        }
      }
    }
  };
  for (int64_t k = 0; k < parts.size(0); ++k) {
    for (int64_t y = 0; y < parts.size(1); ++y) {
      for (int64_t x = 0; x < parts.size(2); ++x) {
        double up = 0;
        double down = 0;
        each(k, y, x, [&](int64_t, int64_t, int64_t, double move) { (move > 0 ? up : down) += move; });
        const bool rose = up + down > 0;
        each(k, y, x, [&](int64_t c, int64_t row, int64_t col, double move) {
          if (move != 0 && (move > 0) == rose)
            to[c][row][col] += static_cast<float>(above[k][y][x] * move / (rose ? up : down));
        });
      }
    }
  }
  return below;
}

TEST(Flow, SharesAreThoseOfTheRuleWrittenOut) {
  at::manual_seed(5);
  const at::Tensor first = at::randn({3, 2, 4, 4});
  const at::Tensor second = at::randn({3, 3, 3, 3});
  const at::Tensor scale = at::tensor({0.5F, -2.0F, 1.5F});
  const at::Tensor shift = at::tensor({0.1F, 0.3F, -0.2F});
  HandMade network([&](const at::Tensor& x) {
    const at::Tensor h = normalised(ops::conv2d(x, first, 2, 1), scale, shift, {});
    return normalised(ops::conv2d(h, second, 1, 1), scale, shift, h);
  });
  const at::Tensor picture = at::randn({1, 2, 9, 7});
  const at::Tensor other = at::randn({1, 2, 9, 7});
  const Flow flow(network, picture, other);
  const at::Tensor parts = (flow.grid() - flow.other_grid()) * at::randn({1, 3, 1, 1});
  const auto hidden = [&](const at::Tensor& x) { return normalised(at::conv2d(x, first, {}, 2, 1), scale, shift, {}); };
  const at::Tensor moved = hidden(picture)[0] - hidden(other)[0];
  const at::Tensor branch = scale.reshape({3, 1, 1}) * (at::conv2d(hidden(picture), second, {}, 1, 1) -
                                                        at::conv2d(hidden(other), second, {}, 1, 1))[0];
  const at::Tensor rose = (branch + moved).gt(0);
  const at::Tensor of_branch = at::where(rose, branch.clamp_min(0), -branch.clamp_max(0));
  const at::Tensor of_direct = at::where(rose, moved.clamp_min(0), -moved.clamp_max(0));
  const at::Tensor share = of_branch / (of_branch + of_direct);
  const at::Tensor below = naive_shares(parts[0] * share, moved, second, 1, 1) + parts[0] * (1 - share);
  const at::Tensor wanted = naive_shares(below, picture[0] - other[0], first, 2, 1).sum(0);
  EXPECT_TRUE(at::allclose(flow.to_pixels(parts)[0], wanted, 1e-3, 1e-5));
}

TEST(Flow, TheLargestHasThePart) {
  HandMade network([](const at::Tensor& x) { return ops::max_pool2d(x, 3, 2, 1); });
  at::Tensor picture = at::zeros({1, 1, 4, 4});
  picture[0][0][0][1] = 2;  // of the first two windows of the first row
  at::Tensor other = at::zeros({1, 1, 4, 4});
  other[0][0][3][3] = 1;  // of the last window, which falls
  const Flow flow(network, picture, other);
  const at::Tensor pixels = flow.to_pixels(flow.grid() - flow.other_grid());
  EXPECT_EQ(pixels[0][0][1].item<float>(), 4);
  EXPECT_EQ(pixels[0][3][3].item<float>(), -1);
  EXPECT_EQ(pixels.sum().item<float>(), 3);
}

TEST(Flow, NothingIsLostInAnyNetwork) {
  for (const auto& [name, stem, side] : {std::tuple{"conv-mini", "small", 32}, std::tuple{"conv-mini", "small", 43},
                                         std::tuple{"resnet18", "small", 24}, std::tuple{"resnet18", "imagenet", 65}}) {
    ModelOptions options;
    options.backbone.name = name;
    options.backbone.stem = stem;
    options.backbone.width = 16;
    Model model(options, 3);
    const EvalScope eval(model);
    at::manual_seed(2);
    const at::Tensor pictures = at::randn({2, 3, side, side});
    const Flow flow(model.encoder(), pictures, at::randn({2, 3, 1, 1}).expand_as(pictures));
    EXPECT_TRUE(at::allclose(flow.grid(), model.encoder().grid(pictures), 1e-4, 1e-4)) << name << side;
    const at::Tensor parts = (flow.grid() - flow.other_grid()) / flow.grid()[0].numel();
    const at::Tensor pixels = flow.to_pixels(parts);
    EXPECT_EQ(pixels.sizes().vec(), (std::vector<int64_t>{2, side, side}));
    EXPECT_TRUE(at::allclose(pixels.sum({1, 2}), parts.sum({1, 2, 3}), 1e-4, 1e-4)) << name << stem << side;
  }
}

TEST(Flow, OneAtATime) {
  HandMade network([](const at::Tensor& x) {
    HandMade inner([](const at::Tensor& y) { return y; });
    const Flow second(inner, x, x);
    return x;
  });
  const at::Tensor x = at::zeros({1, 1, 4, 4});
  EXPECT_THAT(test::message_of([&] { Flow(network, x, x); }),
              testing::HasSubstr("one way through the layers at a time"));
  EXPECT_EQ(ops::Detour::taken(), nullptr);
}

}  // namespace
}  // namespace orthant
