#include "learn/loss/swav.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/learn/loss/finite_differences.h"

namespace orthant::loss {
namespace {

using test::random_rows;

TEST(Sinkhorn, EveryItemGivesOneAndEveryPrototypeGetsItsShare) {
  const at::Tensor scores = at::tanh(random_rows(30, 5, 1));
  const at::Tensor few = sinkhorn(scores, 0.05, 3);
  EXPECT_TRUE(at::allclose(few.sum(1), at::ones({30}, at::kDouble), 0, 1e-12));
  const at::Tensor many = sinkhorn(scores, 0.05, 2000);
  EXPECT_TRUE(at::allclose(many.sum(1), at::ones({30}, at::kDouble), 0, 1e-12));
  EXPECT_TRUE(at::allclose(many.sum(0), at::full({5}, 6.0, at::kDouble), 0, 1e-6)) << many.sum(0);
  EXPECT_GE(few.min().item<double>(), 0);
}

TEST(Sinkhorn, SplitsEqualItemsEvenly) {
  const at::Tensor codes = sinkhorn(at::ones({3, 4}, at::kDouble), 0.05, 1);
  EXPECT_TRUE(at::allclose(codes, at::full({3, 4}, 0.25, at::kDouble)));
}

TEST(Sinkhorn, IsTheMatrixScaledByRowsAndColumns) {
  const at::Tensor scores = at::tanh(random_rows(6, 4, 2));
  at::Tensor expected = at::exp(scores / 0.1);
  for (int i = 0; i < 3; ++i) {
    expected = expected / expected.sum(0, true);
    expected = expected / expected.sum(1, true);
  }
  EXPECT_TRUE(at::allclose(sinkhorn(scores, 0.1, 3), expected, 1e-10, 1e-12));
}

TEST(Sinkhorn, SharpCodesStayFinite) {
  const at::Tensor codes = sinkhorn(at::tanh(random_rows(16, 4, 3)).to(at::kFloat), 1e-4, 3);
  EXPECT_TRUE(codes.isfinite().all().item<bool>());
  EXPECT_TRUE(at::allclose(codes.sum(1), at::ones({16})));
}

TEST(Swav, AgreesWithItsDefinition) {
  const LossOptions options{.temperature = 0.3, .swav_epsilon = 0.2, .swav_iterations = 2};
  for (const int64_t views : {2, 3}) {
    const int64_t items = 4;
    const at::Tensor scores = at::tanh(random_rows(views * items, 3, 4));
    double sum = 0;
    for (int64_t a = 0; a < views; ++a) {
      for (int64_t b = 0; b < views; ++b) {
        if (a == b) continue;
        const at::Tensor code = sinkhorn(scores.narrow(0, b * items, items), 0.2, 2);
        for (int64_t i = 0; i < items; ++i) {
          double total = 0;
          for (int64_t p = 0; p < 3; ++p) total += std::exp(scores[a * items + i][p].item<double>() / 0.3);
          for (int64_t p = 0; p < 3; ++p) {
            const double told = scores[a * items + i][p].item<double>() / 0.3 - std::log(total);
            sum -= code[i][p].item<double>() * told;
          }
        }
      }
    }
    EXPECT_NEAR(swav(scores, views, options).item<double>(), sum / static_cast<double>(views * (views - 1) * items),
                1e-12);
  }
}

// Codes are constants: the derivative is that of the cross entropy alone.
TEST(Swav, GradientIsThatOfCrossEntropyWithFixedCodes) {
  const LossOptions options{.temperature = 0.3, .swav_epsilon = 0.2};
  const at::Tensor scores = at::tanh(random_rows(8, 3, 5)).requires_grad_(true);
  swav(scores, 2, options).backward();
  const at::Tensor codes =
      at::cat({sinkhorn(scores.narrow(0, 4, 4), 0.2, 3), sinkhorn(scores.narrow(0, 0, 4), 0.2, 3)});
  const at::Tensor expected = (at::softmax(scores.detach() / 0.3, 1) - codes) / (0.3 * 8);
  EXPECT_TRUE(at::allclose(scores.grad(), expected, 1e-10, 1e-12));
}

}  // namespace
}  // namespace orthant::loss
