#include "orthant/adapt/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/adapt/encoder.h"
#include "tests/adapt/formulas.h"

namespace orthant::adapt {
namespace {

using namespace test;

ObjectiveOptions objective_of(double wide, double aux, double contrast) {
  ObjectiveOptions objective;
  objective.wide = wide;
  objective.aux = aux;
  objective.aux_active = 3;
  objective.dead_steps = 3;
  objective.contrast = contrast;
  return objective;
}

// Mean squared error with the `on` largest of each row, by dense sums in double.
double dense_error(const Adapter& adapter, const Floats& x, int64_t on) {
  double error = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    std::vector<std::pair<double, int64_t>> pre;
    for (int64_t h = 0; h < kFeatures; ++h) {
      double sum = adapter.encoder_bias[static_cast<size_t>(h)];
      for (int64_t j = 0; j < kDims; ++j) {
        sum += static_cast<double>(adapter.encoder[static_cast<size_t>(h * adapter.stride + j)]) *
               (static_cast<double>(x[static_cast<size_t>(i * adapter.stride + j)]) -
                static_cast<double>(adapter.bias[static_cast<size_t>(j)]));
      }
      pre.emplace_back(sum, h);
    }
    std::ranges::sort(pre, std::greater());
    for (int64_t j = 0; j < kDims; ++j) {
      double made = adapter.bias[static_cast<size_t>(j)];
      for (int64_t n = 0; n < on; ++n) {
        const auto& [value, h] = pre[static_cast<size_t>(n)];
        made +=
            std::max(0.0, value) * static_cast<double>(adapter.decoding()[static_cast<size_t>(h * adapter.stride + j)]);
      }
      const double difference = made - static_cast<double>(x[static_cast<size_t>(i * adapter.stride + j)]);
      error += difference * difference;
    }
  }
  return error / static_cast<double>(kRows * kDims);
}

// The published code of others masked the pre-activations with the dead features first, and reused them.
TEST(AdaptLearner, TheWideTermSeesLiveFeaturesWhateverIsDead) {
  const Floats x = formula_rows();
  Learner learner(formula_adapter(Gate::topk, false, false), objective_of(0.125, 0.03125, 0), false, 1e-8, 1);
  const double wanted = dense_error(learner.adapter(), x, 4 * kActive);
  const StepReport alive = learner.look({x}, kActive);
  EXPECT_NEAR(alive.wide, wanted, 1e-6);
  EXPECT_NEAR(alive.error, dense_error(learner.adapter(), x, kActive), 1e-6);
  EXPECT_EQ(alive.aux, 0);
  std::vector<int32_t> ages(kFeatures, 0);
  std::fill(ages.begin() + 10, ages.end(), 100);
  learner.set_ages(ages);
  const StepReport report = learner.look({x}, kActive);
  EXPECT_EQ(report.dead, 10);
  EXPECT_NEAR(report.wide, wanted, 1e-6);
  EXPECT_GT(report.aux, 0);
}

// With dead features that do nothing, what they leave of the error is the error: e against e, not e against e + b.
TEST(AdaptLearner, TheAuxiliaryLossHasTheBiasOnce) {
  const Floats x = formula_rows();
  for (const float offset : {0.0F, 3.0F}) {
    Adapter adapter = formula_adapter(Gate::topk, false, false);
    for (int64_t j = 0; j < kDims; ++j) adapter.bias[static_cast<size_t>(j)] += offset;
    for (int64_t h = 10; h < kFeatures; ++h) adapter.encoder_bias[static_cast<size_t>(h)] = -1000;
    Learner learner(adapter, objective_of(0, 1, 0), false, 1e-8, 1);
    std::vector<int32_t> ages(kFeatures, 0);
    std::fill(ages.begin() + 10, ages.end(), 100);
    learner.set_ages(ages);
    const StepReport report = learner.look({x}, kActive);
    // sum |e|^2 over its variance: the same sum less that of the mean.
    const double error = dense_error(adapter, x, kActive);
    const SparseMatrix codes = encode(adapter, x, kActive, 1);
    const Floats made = decode(adapter, codes, 1);
    std::vector<double> mean(kDims);
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kDims; ++j) {
        const auto at = static_cast<size_t>(i * adapter.stride + j);
        mean[static_cast<size_t>(j)] += (static_cast<double>(x[at]) - static_cast<double>(made[at])) / kRows;
      }
    }
    double squared_mean = 0;
    for (const double m : mean) squared_mean += m * m / kDims;
    EXPECT_NEAR(report.aux, error / (error - squared_mean), 1e-4) << offset;
  }
}

// The first moment after one step is a tenth of the gradient.
void expect_gradient(Gate gate, bool tied, const ObjectiveOptions& objective, const Together& together) {
  const Floats x = formula_rows();
  const Adapter start = formula_adapter(gate, tied, false);
  Learner learner(start, objective, false, 1e-8, 2);
  learner.step({x, {}, together}, {.rate = 1e-6, .active = kActive});
  const double step = 2e-3;
  int64_t looked = 0;
  const auto compare = [&](auto&& weight_of, double found, const char* what, size_t at) {
    const auto loss_at = [&](double change) {
      Adapter moved = start;
      weight_of(moved) = static_cast<float>(static_cast<double>(weight_of(moved)) + change);
      Learner other(moved, objective, false, 1e-8, 1);
      return other.look({x, {}, together}, kActive).loss;
    };
    // Where the choice of features changes within the step the loss jumps; one-sided slopes then differ.
    const double up = (loss_at(step) - loss_at(0)) / step;
    const double down = (loss_at(0) - loss_at(-step)) / step;
    if (std::abs(up - down) > 0.02 * (std::abs(up) + 0.05)) return;
    ++looked;
    EXPECT_NEAR(found, (up + down) / 2, 2e-3) << what << " " << at;
  };
  for (size_t at = 0; at < start.encoder.size(); ++at) {
    if (static_cast<int64_t>(at) % start.stride >= kDims) continue;
    compare([at](Adapter& a) -> float& { return a.encoder[at]; }, 10.0 * learner.encoder_moment()[at], "encoder", at);
    if (tied || objective.reconstruction == 0) continue;
    compare([at](Adapter& a) -> float& { return a.decoder[at]; }, 10.0 * learner.decoder_moment()[at], "decoder", at);
  }
  for (size_t at = 0; at < kFeatures; ++at) {
    compare([at](Adapter& a) -> float& { return a.encoder_bias[at]; }, 10.0 * learner.encoder_bias_moment()[at],
            "encoder bias", at);
  }
  for (size_t at = 0; at < kDims; ++at) {
    compare([at](Adapter& a) -> float& { return a.bias[at]; }, 10.0 * learner.bias_moment()[at], "bias", at);
  }
  EXPECT_GT(looked, 100);
}

TEST(AdaptLearner, GradientsOfReconstructionAreThoseOfFiniteDifferences) {
  expect_gradient(Gate::topk, false, objective_of(0.125, 0, 0), {});
  expect_gradient(Gate::topk, true, objective_of(0.125, 0, 0), {});
  expect_gradient(Gate::batch, false, objective_of(0.125, 0, 0), {});
}

TEST(AdaptLearner, GradientsOfContrastAreThoseOfFiniteDifferences) {
  std::vector<int64_t> classes;
  std::vector<int32_t> partners;
  std::vector<uint8_t> sides;
  for (int64_t i = 0; i < kRows; ++i) {
    classes.push_back(i % 5 == 4 ? -1 : i % 5);
    partners.push_back(static_cast<int32_t>(i ^ 1));
    sides.push_back(static_cast<uint8_t>(i & 1));
  }
  expect_gradient(Gate::topk, true, objective_of(0, 0, 0.5), {});
  expect_gradient(Gate::topk, true, objective_of(0, 0, 0.5), {.classes = classes});
  ObjectiveOptions alone = objective_of(0, 0, 1);
  alone.reconstruction = 0;
  expect_gradient(Gate::topk, false, alone, {.partners = partners});
  expect_gradient(Gate::topk, false, alone, {.partners = partners, .sides = sides});
}

TEST(AdaptLearner, StepsAreTheSameOnAnyNumberOfThreads) {
  const Floats x = formula_rows();
  for (const Gate gate : {Gate::topk, Gate::batch, Gate::jump}) {
    ObjectiveOptions objective = objective_of(gate == Gate::jump ? 0 : 0.125, 0.03, gate == Gate::jump ? 0 : 0.1);
    std::vector<Floats> weights;
    for (const int threads : {1, 2, 3}) {
      Learner learner(formula_adapter(gate, false, true), objective, true, 1e-8, threads);
      for (int n = 0; n < 5; ++n) learner.step({x}, {.rate = 0.01, .active = kActive});
      weights.push_back(learner.adapter().encoder);
    }
    EXPECT_EQ(weights[0], weights[1]);
    EXPECT_EQ(weights[0], weights[2]);
  }
}

// No row comes near such a threshold, so no slope would ever lower it.
TEST(AdaptLearner, TheThresholdOfADeadFeatureFallsUntilItIsOnAgain) {
  const Floats x = formula_rows();
  Adapter adapter = formula_adapter(Gate::jump, false, true);
  std::ranges::fill(adapter.thresholds, 100.0F);
  Learner learner(std::move(adapter), objective_of(0, 0.03, 0), true, 1e-8, 1);
  std::vector<int32_t> ages(kFeatures, 0);
  ages[7] = 100;
  learner.set_ages(ages);
  const Pace pace{.rate = 0.01, .active = kActive};
  EXPECT_EQ(learner.step({x}, pace).active, 0);
  const Floats thresholds = learner.adapter().thresholds;
  for (size_t j = 0; j < kFeatures; ++j) EXPECT_FLOAT_EQ(thresholds[j], j == 7 ? 97.0F : 100.0F) << j;
  for (int n = 0; n < 300; ++n) learner.step({x}, pace);
  EXPECT_GT(learner.look({x}, kActive).active, 0);
}

TEST(AdaptLearner, RowsThatDoNotCountAreNotReconstructed) {
  Floats x = formula_rows();
  std::vector<float> counts(kRows, 1.0F);
  for (size_t i = kRows / 2; i < kRows; ++i) counts[i] = 0;
  Learner learner(formula_adapter(Gate::topk, false, false), objective_of(0.125, 0, 0), false, 1e-8, 1);
  const double with = learner.look({x, counts}, kActive).loss;
  for (size_t at = static_cast<size_t>(kRows / 2 * padded(kDims)); at < x.size(); ++at) x[at] *= -2;
  EXPECT_EQ(learner.look({x, counts}, kActive).loss, with);
}

TEST(AdaptLearner, GoesOnFromACheckpointBitForBit) {
  const Floats x = formula_rows();
  for (const Gate gate : {Gate::topk, Gate::batch, Gate::jump}) {
    const ObjectiveOptions objective = objective_of(gate == Gate::topk ? 0.125 : 0, 0.03, 0);
    const Pace pace{.rate = 0.01, .active = kActive};
    Learner straight(formula_adapter(gate, false, true), objective, true, 1e-8, 2);
    for (int n = 0; n < 3; ++n) straight.step({x}, pace);
    Checkpoint checkpoint;
    straight.save(checkpoint);
    Learner other(formula_adapter(gate, false, false), objective, true, 1e-8, 2);
    other.restore(checkpoint);
    for (int n = 0; n < 3; ++n) {
      const double before = straight.step({x}, pace).loss;
      EXPECT_EQ(other.step({x}, pace).loss, before);
    }
    EXPECT_EQ(straight.adapter().encoder, other.adapter().encoder);
    EXPECT_EQ(straight.adapter().thresholds, other.adapter().thresholds);
  }
}

}  // namespace
}  // namespace orthant::adapt
