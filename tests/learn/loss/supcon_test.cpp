#include "learn/loss/supcon.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "learn/nn/nonneg.h"
#include "tests/learn/loss/oracle.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

at::Tensor random_rows(int64_t rows, int64_t dims, uint64_t seed) {
  at::manual_seed(seed);
  return at::randn({rows, dims});
}

std::vector<int64_t> random_labels(int64_t items, int64_t classes, uint64_t seed) {
  at::manual_seed(seed);
  const at::Tensor drawn = at::randint(classes, {items}, at::kLong);
  return {drawn.data_ptr<int64_t>(), drawn.data_ptr<int64_t>() + items};
}

// Khosla et al., equation 2, as it reads: rows one by one, in float64.
at::Tensor by_definition(const at::Tensor& z, const std::vector<int64_t>& labels, double temperature) {
  const at::Tensor unit = test::dense_unit(z);
  const auto items = std::ssize(labels);
  at::Tensor total = at::zeros({}, at::kDouble);
  for (int64_t i = 0; i < z.size(0); ++i) {
    std::vector<at::Tensor> all;
    std::vector<at::Tensor> positives;
    for (int64_t a = 0; a < z.size(0); ++a) {
      if (a == i) continue;
      all.push_back(unit[i].dot(unit[a]) / temperature);
      if (labels[static_cast<size_t>(a % items)] == labels[static_cast<size_t>(i % items)]) {
        positives.push_back(all.back());
      }
    }
    total = total - (at::stack(positives) - at::stack(all).logsumexp(0)).mean();
  }
  return total / static_cast<double>(z.size(0));
}

void expect_definition(const at::Tensor& z, const std::vector<int64_t>& labels, double temperature) {
  const at::Tensor exact = z.detach().to(at::kDouble).requires_grad_(true);
  const at::Tensor dense = by_definition(exact, labels, temperature);
  dense.backward();
  const at::Tensor leaf = z.detach().clone().requires_grad_(true);
  const LossResult result = supervised_contrastive_loss(leaf, labels, {.temperature = temperature});
  result.loss.backward();
  EXPECT_NEAR(result.value, dense.item<double>(), 1e-5 * std::max(1.0, dense.item<double>()));
  EXPECT_NEAR(result.loss.item<double>(), result.value, 1e-6 * result.value);
  EXPECT_LE((leaf.grad() - exact.grad()).norm().item<double>(), 1e-5 * exact.grad().norm().item<double>())
      << z.size(0) << " rows, temperature " << temperature;
}

TEST(SupCon, AgreesWithItsDefinitionForRowsAndLabelsOfEveryKind) {
  uint64_t seed = 1;
  for (const int64_t views : {2, 3}) {
    for (const int64_t items : {2, 5, 24}) {
      for (const double temperature : {0.05, 0.1, 1.0}) {
        const at::Tensor z = random_rows(views * items, 7, seed);
        expect_definition(z, random_labels(items, 3, seed++), temperature);
        expect_definition(at::relu(z - 0.5), random_labels(items, 2, seed++), temperature);
      }
    }
  }
}

TEST(SupCon, RowsOfSeveralBlocksAreComparedWithAllOthers) {
  const at::Tensor z = random_rows(2 * 300, 9, 3);
  const std::vector<int64_t> labels = random_labels(300, 10, 4);
  const at::Tensor exact = z.to(at::kDouble).requires_grad_(true);
  const at::Tensor unit = test::dense_unit(exact);
  const at::Tensor classes = at::tensor(labels).repeat({2});
  const at::Tensor self = at::eye(600).to(at::kBool);
  const at::Tensor s = (unit.mm(unit.t()) / 0.1).masked_fill(self, -INFINITY);
  const at::Tensor same = classes.unsqueeze(1).eq(classes.unsqueeze(0)).logical_and(self.logical_not()).to(at::kDouble);
  const at::Tensor log_share = at::log_softmax(s, 1).masked_fill(self, 0);
  const at::Tensor dense = -((log_share * same).sum(1) / same.sum(1)).mean();
  dense.backward();
  const at::Tensor leaf = z.clone().requires_grad_(true);
  const LossResult result = supervised_contrastive_loss(leaf, labels, {.temperature = 0.1});
  result.loss.backward();
  EXPECT_NEAR(result.value, dense.item<double>(), 1e-5);
  EXPECT_LE((leaf.grad() - exact.grad()).norm().item<double>(), 1e-5 * exact.grad().norm().item<double>());
}

TEST(SupCon, TheDefinitionsGradientAgreesWithFiniteDifferences) {
  const at::Tensor z = random_rows(8, 3, 11).to(at::kDouble);
  const std::vector<int64_t> labels = {1, 0, 1, 0};
  const at::Tensor leaf = z.clone().requires_grad_(true);
  by_definition(leaf, labels, 0.5).backward();
  for (int64_t i = 0; i < z.numel(); ++i) {
    constexpr double kStep = 1e-6;
    const at::Tensor nudge = at::zeros_like(z);
    nudge.view(-1)[i] = kStep;
    const double slope =
        (by_definition(z + nudge, labels, 0.5) - by_definition(z - nudge, labels, 0.5)).item<double>() / (2 * kStep);
    EXPECT_NEAR(leaf.grad().view(-1)[i].item<double>(), slope, 1e-7);
  }
}

TEST(SupCon, WithAClassForEveryItemItIsInfoNce) {
  const at::Tensor z = random_rows(40, 6, 5);
  std::vector<int64_t> labels(20);
  std::iota(labels.begin(), labels.end(), 0);
  const LossOptions options{.temperature = 0.2};
  EXPECT_NEAR(supervised_contrastive_loss(z, labels, options).value, contrastive_loss(z, 2, options).value, 1e-5);
}

TEST(SupCon, NamesOfClassesOrderOfItemsAndLengthsOfRowsChangeNothing) {
  const at::Tensor z = random_rows(20, 6, 6);
  const std::vector<int64_t> labels = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
  const double loss = supervised_contrastive_loss(z, labels, {}).value;
  std::vector<int64_t> renamed;
  for (const int64_t label : labels) renamed.push_back((label + 1) % 3);
  EXPECT_NEAR(supervised_contrastive_loss(z, renamed, {}).value, loss, 1e-12);
  EXPECT_NEAR(supervised_contrastive_loss(z * at::arange(1, 21).unsqueeze(1), labels, {}).value, loss, 1e-5);
  const std::vector<int64_t> reversed(labels.rbegin(), labels.rend());
  const at::Tensor backwards = z.view({2, 10, 6}).flip({1}).reshape({20, 6});
  EXPECT_NEAR(supervised_contrastive_loss(backwards, reversed, {}).value, loss, 1e-5);
}

TEST(SupCon, ZeroRowsAreCountedAndReceiveNoGradient) {
  at::Tensor z = random_rows(16, 5, 7).abs();
  z[3].zero_();
  z[12].zero_();
  const std::vector<int64_t> labels = {0, 1, 0, 1, 0, 1, 0, 1};
  expect_definition(z, labels, 0.2);
  const at::Tensor leaf = z.clone().requires_grad_(true);
  const LossResult result = supervised_contrastive_loss(leaf, labels, {});
  result.loss.backward();
  EXPECT_EQ(result.zero_rows, 2);
  EXPECT_EQ(leaf.grad()[3].abs().sum().item<double>(), 0);
}

TEST(SupCon, WhatDoesNotFitIsRefused) {
  const std::vector<int64_t> four = {0, 1, 0, 1};
  const auto refused = [](const at::Tensor& z, const std::vector<int64_t>& labels, const LossOptions& options = {}) {
    return message_of([&] { supervised_contrastive_loss(z, labels, options); });
  };
  EXPECT_THAT(refused(at::rand({4, 3}), four), HasSubstr("expected 2 or more views of 2 or more items, got 4 rows"));
  EXPECT_THAT(refused(at::rand({9, 3}), four), HasSubstr("got 9 rows for 4 labels"));
  EXPECT_THAT(refused(at::rand({8, 3}), {0, -1, 0, 1}), HasSubstr("expected a label for every item, got -1"));
  EXPECT_THAT(refused(at::rand({8, 3}, at::kDouble), four), HasSubstr("expected a float32 matrix"));
  EXPECT_THAT(refused(at::rand({8, 3}), four, {.temperature = 0}), HasSubstr("expected a temperature of at least"));
  EXPECT_THAT(refused(at::rand({8, 3}), four, {.norm_eps = 0}), HasSubstr("expected a positive norm_eps"));
  at::Tensor broken = at::rand({8, 3});
  broken[2][1] = NAN;
  EXPECT_TRUE(std::isnan(supervised_contrastive_loss(broken, four, {}).value));
}

}  // namespace
}  // namespace orthant
