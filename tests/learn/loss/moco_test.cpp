#include "learn/loss/moco.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "learn/loss/unit.h"
#include "tests/learn/loss/finite_differences.h"
#include "tests/learn/loss/oracle.h"

namespace orthant::loss {
namespace {

using test::expect_finite_differences;
using test::random_rows;

at::Tensor unit_rows(int64_t rows, int64_t dims, uint64_t seed) { return unit(random_rows(rows, dims, seed), 1e-6); }

double moco_by_hand(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& queue, int64_t views,
                    double temperature) {
  const int64_t items = queries.size(0) / views;
  const auto e = [&](const at::Tensor& a, const at::Tensor& b) {
    return std::exp(a.dot(b).item<double>() / temperature);
  };
  double sum = 0;
  for (int64_t a = 0; a < views; ++a) {
    for (int64_t b = 0; b < views; ++b) {
      for (int64_t i = 0; i < items && a != b; ++i) {
        const at::Tensor q = queries[a * items + i];
        double total = 0;
        for (int64_t j = 0; j < items; ++j) total += e(q, keys[b * items + j]);
        for (int64_t m = 0; m < queue.size(0); ++m) total += e(q, queue[m]);
        sum -= std::log(e(q, keys[b * items + i]) / total);
      }
    }
  }
  return sum / static_cast<double>(views * (views - 1) * items);
}

TEST(Moco, AgreesWithItsDefinition) {
  for (const int64_t views : {2, 3}) {
    for (const int64_t queued : {0, 7}) {
      const at::Tensor q = unit_rows(4 * views, 5, 1);
      const at::Tensor k = unit_rows(4 * views, 5, 2);
      const at::Tensor queue = unit_rows(queued, 5, 3);
      EXPECT_NEAR(moco(q, k, queue, views, 0.3).item<double>(), moco_by_hand(q, k, queue, views, 0.3), 1e-10);
    }
  }
}

TEST(Moco, OfTwoEqualKeysAndNoQueueIsTheLogarithmOfTheirNumber) {
  const at::Tensor same = at::ones({6, 1}, at::kDouble);
  EXPECT_NEAR(moco(same, same, same.narrow(0, 0, 0), 2, 0.1).item<double>(), std::log(3.0), 1e-12);
  EXPECT_NEAR(moco(same, same, same.narrow(0, 0, 2), 2, 0.1).item<double>(), std::log(5.0), 1e-12);
}

TEST(Moco, GradientAgreesWithFiniteDifferences) {
  const at::Tensor keys = unit_rows(8, 3, 4);
  const at::Tensor queue = unit_rows(5, 3, 5);
  expect_finite_differences(random_rows(8, 3, 6),
                            [&](const at::Tensor& z) { return moco(unit(z, 1e-6), keys, queue, 2, 0.5); });
  expect_finite_differences(random_rows(8, 3, 6), [&](const at::Tensor& z) {
    return moco(unit(z, 1e-6), keys, queue.narrow(0, 0, 0), 4, 0.5);
  });
}

TEST(Moco, SharpTemperaturesStayFinite) {
  const at::Tensor q = unit_rows(8, 3, 7).to(at::kFloat).requires_grad_(true);
  const at::Tensor k = unit_rows(8, 3, 8).to(at::kFloat);
  const at::Tensor loss = moco(q, k, unit_rows(9, 3, 9).to(at::kFloat), 2, 1e-3);
  loss.backward();
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  EXPECT_TRUE(q.grad().isfinite().all().item<bool>());
}

TEST(Unit, AgreesWithItsDefinitionAndLeavesZeroRowsWithoutAGradient) {
  at::Tensor z = random_rows(6, 4, 10);
  z[2].zero_();
  z[3].fill_(1e-9);
  EXPECT_TRUE(at::allclose(unit(z, 1e-6), test::dense_unit(z)));
  const at::Tensor leaf = z.clone().requires_grad_(true);
  (unit(leaf, 1e-6) * random_rows(6, 4, 11)).sum().backward();
  EXPECT_TRUE(leaf.grad().isfinite().all().item<bool>());
  EXPECT_EQ(leaf.grad()[2].abs().sum().item<double>(), 0);
  EXPECT_EQ(leaf.grad()[3].abs().sum().item<double>(), 0);
  EXPECT_GT(leaf.grad()[0].abs().sum().item<double>(), 0);
  expect_finite_differences(random_rows(3, 4, 12), [](const at::Tensor& rows) { return unit(rows, 1e-6)[1][2]; });
}

TEST(Unit, WhatIsNoNumberStaysNone) {
  at::Tensor z = random_rows(2, 3, 13);
  z[0][0] = NAN;
  EXPECT_TRUE(unit(z, 1e-6)[0].isnan().all().item<bool>());
}

}  // namespace
}  // namespace orthant::loss
