#include "orthant/fit/logistic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "orthant/core/rng.h"
#include "orthant/fit/lbfgs.h"
#include "orthant/fit/logistic_objective.h"
#include "orthant/io/npz.h"
#include "tests/support/message_of.h"

namespace orthant::fit {
namespace {

using test::message_of;
using ::testing::HasSubstr;

struct Labelled {
  Matrix x;
  std::vector<int64_t> y;
};

// Classes around random centres, with a share of exact zeros.
Labelled random_problem(int64_t rows, int64_t cols, int64_t classes, uint64_t seed, double zeros = 0.5) {
  Rng rng(seed);
  Matrix centres(classes, cols);
  for (float& value : centres.mutable_values()) value = static_cast<float>(rng.normal());
  Labelled made{Matrix(rows, cols), {}};
  for (int64_t i = 0; i < rows; ++i) {
    made.y.push_back(static_cast<int64_t>(rng.below(static_cast<uint64_t>(classes))));
    for (int64_t j = 0; j < cols; ++j) {
      if (!rng.bernoulli(zeros)) made.x(i, j) = centres(made.y.back(), j) + static_cast<float>(rng.normal());
    }
  }
  return made;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double most = 0;
  for (int64_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(double{a.data()[k]} - b.data()[k]));
  return most;
}

TEST(Lbfgs, FindsTheMinimumOfRosenbrocksValley) {
  const Minimum found = minimise(
      [](std::span<const double> x, std::span<double> g) {
        const double a = 1 - x[0];
        const double b = x[1] - x[0] * x[0];
        g[0] = -2 * a - 400 * x[0] * b;
        g[1] = 200 * b;
        return a * a + 100 * b * b;
      },
      {-1.2, 1.0}, {.tolerance = 1e-9});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.x[0], 1, 1e-8);
  EXPECT_NEAR(found.x[1], 1, 1e-8);
  EXPECT_LT(found.evaluations, 80);
}

TEST(Lbfgs, ComesBackFromWhereTheValueIsNotFinite) {
  const Minimum found = minimise(
      [](std::span<const double> x, std::span<double> g) {
        g[0] = 1 - 1 / x[0];
        return x[0] > 0 ? x[0] - std::log(x[0]) : std::numeric_limits<double>::quiet_NaN();
      },
      {5.0});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.x[0], 1, 1e-4);
}

TEST(Lbfgs, SolvesAnIllConditionedQuadratic) {
  const Minimum found = minimise(
      [](std::span<const double> x, std::span<double> g) {
        double value = 0;
        for (size_t k = 0; k < x.size(); ++k) {
          const double curvature = std::pow(10.0, static_cast<double>(k % 5));
          g[k] = curvature * (x[k] - 1);
          value += 0.5 * curvature * (x[k] - 1) * (x[k] - 1);
        }
        return value;
      },
      std::vector<double>(50, 0.0), {.tolerance = 1e-8});
  EXPECT_TRUE(found.converged);
  for (const double x : found.x) EXPECT_NEAR(x, 1, 1e-7);
}

TEST(Lbfgs, StopsAtTheLimitAndRefusesAStartThatIsNotFinite) {
  const Objective slope = [](std::span<const double>, std::span<double> g) {
    g[0] = 1;
    return 0.0;
  };
  EXPECT_FALSE(minimise(slope, {0.0}).converged);
  const Objective broken = [](std::span<const double>, std::span<double>) { return NAN; };
  EXPECT_THAT(message_of([&] { minimise(broken, {0.0}); }), HasSubstr("finite value"));
}

TEST(LogisticObjective, GradientIsThatOfFiniteDifferences) {
  const Labelled made = random_problem(60, 5, 3, 1);
  Targets targets;
  for (size_t i = 0; i < made.y.size(); ++i) {
    targets.classes.push_back(static_cast<int32_t>(made.y[i]));
    targets.weights.push_back(i % 7 == 0 ? 0.0F : 1.0F + static_cast<float>(i % 3));
  }
  const SparseMatrix sparse = SparseMatrix::from_dense(made.x);
  for (const Features& features : {Features(made.x), Features(sparse)}) {
    for (const bool standardise : {false, true}) {
      const LogisticObjective objective(features, targets, 3, {.l2 = 0.1, .standardise = standardise}, 1);
      std::vector<double> p(static_cast<size_t>(objective.parameters()));
      Rng rng(3);
      for (double& value : p) value = rng.normal();
      std::vector<double> gradient(p.size());
      std::vector<double> ignored(p.size());
      objective(p, gradient);
      for (size_t k = 0; k < p.size(); ++k) {
        constexpr double kStep = 3e-3;
        std::vector<double> moved = p;
        moved[k] += kStep;
        const double above = objective(moved, ignored);
        moved[k] -= 2 * kStep;
        EXPECT_NEAR((above - objective(moved, ignored)) / (2 * kStep), gradient[k], 1e-4) << k;
      }
    }
  }
}

class LogisticGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(LogisticGolden, AgreesWithScikitLearn) {
  const auto file = io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/logistic.npz");
  const Matrix x = io::to_matrix(file.read("x"), "x");
  const std::vector<int64_t> y = io::to_integers(file.read("y"), "y");
  const io::Array weights = file.read(GetParam() + "_weights");
  const io::Array bias = file.read(GetParam() + "_bias");
  LogisticOptions options{.l2 = 1e-2, .tolerance = 1e-6};
  options.standardise = GetParam() == "standardised";
  if (GetParam() == "weighted") {
    options.l2 = 1e-1;
    options.class_weights = {1.0, 2.0, 0.5, 3.0};
  }
  const SparseMatrix sparse = SparseMatrix::from_dense(x);
  for (const Features& features : {Features(x), Features(sparse)}) {
    const LogisticModel model = fit_logistic(features, y, options);
    EXPECT_TRUE(model.converged);
    const double mean = std::accumulate(model.bias.begin(), model.bias.end(), 0.0) / 4;
    for (size_t k = 0; k < 28; ++k) EXPECT_NEAR(model.weights.values()[k], weights.as<double>()[k], 1e-3) << k;
    for (size_t c = 0; c < 4; ++c) EXPECT_NEAR(model.bias[c] - mean, bias.as<double>()[c], 1e-3) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, LogisticGolden, ::testing::Values("plain", "weighted", "standardised"),
                         [](const auto& instance) { return instance.param; });

TEST(Logistic, TwoPointsByHand) {
  // x = -1 and +1, l2 = 1/2: w0 = -w1 = -w by symmetry, and d/dw of log(1 + e^-2w) + w^2 / 2 is zero.
  const Matrix x(2, 1, {-1, 1});
  const std::vector<int64_t> y = {0, 1};
  const LogisticModel model = fit_logistic(x, y, {.l2 = 0.5, .tolerance = 1e-7});
  const double w = model.weights(1, 0);
  EXPECT_NEAR(model.weights(0, 0), -w, 1e-5);
  EXPECT_NEAR(2 / (1 + std::exp(2 * w)), w, 1e-5);
  EXPECT_NEAR(model.bias[0], model.bias[1], 1e-5);
  EXPECT_NEAR(model.loss, std::log1p(std::exp(-2 * w)) + w * w / 2, 1e-6);
  EXPECT_EQ(predict(model, x), y);
}

TEST(Logistic, DependsNeitherOnThreadsNorOnTheFormOfTheFeatures) {
  const Labelled made = random_problem(3000, 20, 5, 2, 0.8);
  const SparseMatrix sparse = SparseMatrix::from_dense(made.x);
  for (const bool standardise : {false, true}) {
    LogisticOptions options{.standardise = standardise, .threads = 1};
    const LogisticModel dense = fit_logistic(made.x, made.y, options);
    const LogisticModel thin = fit_logistic(sparse, made.y, options);
    options.threads = 3;
    EXPECT_EQ(fit_logistic(made.x, made.y, options).weights, dense.weights);
    EXPECT_EQ(fit_logistic(sparse, made.y, options).weights, thin.weights);
    EXPECT_LT(largest_difference(dense.weights, thin.weights), 2e-3);
    EXPECT_NEAR(dense.loss, thin.loss, 1e-6);
    EXPECT_EQ(predict(thin, made.x, 1), predict(thin, sparse, 2));
  }
}

TEST(Logistic, MovingOrScalingStandardisedFeaturesChangesNoPrediction) {
  const Labelled made = random_problem(400, 6, 3, 4, 0.2);
  Matrix moved = made.x;
  for (int64_t i = 0; i < moved.rows(); ++i) {
    for (int64_t j = 0; j < moved.cols(); ++j) moved(i, j) = 40 * moved(i, j) + 7;
  }
  const LogisticOptions options{.l2 = 1e-2, .standardise = true};
  const LogisticModel here = fit_logistic(made.x, made.y, options);
  const LogisticModel there = fit_logistic(moved, made.y, options);
  EXPECT_NEAR(here.loss, there.loss, 1e-5);
  const auto a = predict(here, made.x);
  const auto b = predict(there, moved);
  int64_t different = 0;
  for (size_t i = 0; i < a.size(); ++i) different += a[i] != b[i];
  EXPECT_LE(different, 2);
}

// Features of any mean and size, which float32 products of the features as they are would drown.
TEST(Logistic, ConvergesOnFeaturesFarFromZeroAndOfUnequalSizes) {
  const Labelled made = random_problem(1000, 12, 4, 10, 0);
  Matrix moved = made.x;
  for (int64_t i = 0; i < moved.rows(); ++i) {
    for (int64_t j = 0; j < moved.cols(); ++j) {
      moved(i, j) = 1000 + moved(i, j) * static_cast<float>(std::pow(4.0, static_cast<double>(j % 4) - 1));
    }
  }
  // What float32 kept of the moved features, brought back to the origin: the same problem, bias apart.
  Matrix near = moved;
  for (float& value : near.mutable_values()) value -= 1000;
  const SparseMatrix sparse = SparseMatrix::from_dense(moved);
  for (const bool standardise : {false, true}) {
    const LogisticOptions options{.l2 = 1e-3, .standardise = standardise};
    const LogisticModel origin = fit_logistic(near, made.y, options);
    ASSERT_TRUE(origin.converged);
    for (const Features& features : {Features(moved), Features(sparse)}) {
      const LogisticModel far = fit_logistic(features, made.y, options);
      EXPECT_TRUE(far.converged);
      EXPECT_LT(far.iterations, 200);
      EXPECT_NEAR(far.loss, origin.loss, 1e-6);
      EXPECT_LT(largest_difference(far.weights, origin.weights), 2e-3);
      EXPECT_NEAR(accuracy(far, features, made.y).top1, accuracy(origin, near, made.y).top1, 0.002);
    }
  }
}

TEST(Logistic, RowsWithoutALabelAndClassesOfWeightZeroTakeNoPart) {
  Labelled made = random_problem(300, 4, 3, 5, 0.1);
  Labelled fewer{Matrix(0, 4), {}};
  std::vector<float> kept;
  for (int64_t i = 0; i < 300; ++i) {
    auto& label = made.y[static_cast<size_t>(i)];
    if (i % 3 == 0) label = -1;
    if (label < 0 || label == 2) continue;
    fewer.y.push_back(label);
    kept.insert(kept.end(), made.x.row(i).begin(), made.x.row(i).end());
  }
  fewer.x = Matrix(static_cast<int64_t>(fewer.y.size()), 4, kept);
  const LogisticModel all = fit_logistic(made.x, made.y, {.standardise = true, .class_weights = {1, 1, 0}});
  const LogisticModel two = fit_logistic(fewer.x, fewer.y, {.standardise = true});
  for (int64_t c = 0; c < 2; ++c) {
    for (int64_t j = 0; j < 4; ++j) EXPECT_NEAR(all.weights(c, j), two.weights(c, j), 1e-3);
  }
  EXPECT_TRUE(std::isinf(all.bias[2]));
  EXPECT_THAT(predict(all, made.x), ::testing::Not(::testing::Contains(2)));
}

TEST(Logistic, DegenerateInputHasADefinedAnswer) {
  const Matrix one(1, 1, {3});
  const std::vector<int64_t> label = {2};
  const LogisticModel alone = fit_logistic(one, label);
  EXPECT_TRUE(alone.converged);
  EXPECT_EQ(alone.loss, 0);
  EXPECT_EQ(predict(alone, one), label);

  const Matrix dead(4, 2);
  const std::vector<int64_t> labels = {0, 1, 1, 1};
  const LogisticModel prior = fit_logistic(dead, labels, {.standardise = true});
  EXPECT_EQ(prior.weights, Matrix(2, 2));
  EXPECT_NEAR(prior.bias[1] - prior.bias[0], std::log(3), 1e-3);
  EXPECT_EQ(accuracy(prior, dead, labels).top1, 0.75);
  EXPECT_NEAR(fit_logistic(Matrix(4, 0), labels).loss, prior.loss, 1e-6);
}

TEST(Logistic, AccuracyCountsTiesByClassNumberAndUnknownClassesAsWrong) {
  LogisticModel model{.weights = Matrix(7, 1), .bias = std::vector<double>(7, 0.0)};
  model.bias[6] = -std::numeric_limits<double>::infinity();
  const Matrix x(5, 1);
  const std::vector<int64_t> labels = {0, 4, 5, 6, 9};
  const Accuracy found = accuracy(model, x, labels);
  EXPECT_EQ(found.rows, 5);
  EXPECT_DOUBLE_EQ(found.top1, 0.2);
  EXPECT_DOUBLE_EQ(found.top5, 0.4);
  EXPECT_EQ(accuracy(model, x, std::vector<int64_t>(5, -1)).top1, 0);
}

TEST(FitBest, PicksTheStrengthThatGeneralises) {
  // Few rows, many features of noise: without regularisation the fit is perfect and useless.
  const Labelled noisy = random_problem(60, 2, 2, 6, 0);
  Matrix x(60, 80);
  Rng rng(9);
  for (int64_t i = 0; i < 60; ++i) {
    for (int64_t j = 0; j < 80; ++j) x(i, j) = j < 2 ? noisy.x(i, j) : static_cast<float>(rng.normal());
  }
  const LogisticModel best = fit_best(x, noisy.y, {.standardise = true}, {.l2 = {1e-6, 1e-1, 1}});
  EXPECT_GE(best.l2, 1e-1);
  const LogisticModel direct = fit_logistic(x, noisy.y, {.l2 = best.l2, .standardise = true});
  EXPECT_LT(largest_difference(best.weights, direct.weights), 1e-3);
}

TEST(FitBest, WithoutRowsToHoldOutTakesTheMiddleOfTheGrid) {
  const Matrix x(3, 1, {0, 1, 2});
  const std::vector<int64_t> y = {0, 1, 2};
  EXPECT_EQ(fit_best(x, y, {}, {.l2 = {1e-4, 1e-1, 1e-2}}).l2, 1e-2);
}

TEST(Logistic, TellsHowFarItIsAndMayBeStoppedAtAnyLook) {
  const Labelled data = random_problem(80, 5, 3, 4);
  std::vector<FitProgress> told;
  LogisticOptions options{.progress = [&](const FitProgress& at) { told.push_back(at); }};
  const LogisticModel best = fit_best(data.x, data.y, options, {.l2 = {1e-1, 1e-2}});
  EXPECT_EQ(told.front().fitted, 0);
  EXPECT_EQ(told.front().l2, 1e-1);
  EXPECT_EQ(told.back().fitted, 2);
  EXPECT_EQ(told.back().l2, best.l2);
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].fits, 3);
    const bool same = i > 0 && told[i].fitted == told[i - 1].fitted;
    EXPECT_EQ(told[i].looks, same ? told[i - 1].looks + 1 : 0);
  }
  const size_t looks = told.size();
  for (size_t cut = 1; cut <= looks; ++cut) {
    size_t at = 0;
    options.progress = [&](const FitProgress&) {
      if (++at == cut) throw std::runtime_error("enough");
    };
    EXPECT_EQ(message_of([&] { fit_best(data.x, data.y, options, {.l2 = {1e-1, 1e-2}}); }), "enough");
  }
}

TEST(Logistic, RefusesWhatItCannotFit) {
  const Matrix x(3, 2);
  const auto fit = [&](std::vector<int64_t> labels, const LogisticOptions& options = {}) {
    return message_of([&] { fit_logistic(x, labels, options); });
  };
  EXPECT_EQ(fit({0, 1}), "[logistic] expected 3 labels, got 2");
  EXPECT_THAT(fit({0, 1, -2}), HasSubstr("got -2 in row 2"));
  EXPECT_THAT(fit({-1, -1, -1}), HasSubstr("expected a row with a label"));
  EXPECT_THAT(fit({0, 1, 1}, {.l2 = -1}), HasSubstr("expected an l2 of at least 0"));
  EXPECT_THAT(fit({0, 1, 1}, {.class_weights = {1}}), HasSubstr("expected weights of 2 classes"));
  EXPECT_THAT(message_of([] { fit_logistic(Matrix(0, 3), {}); }), HasSubstr("expected a row with a label"));
  const std::vector<int64_t> y = {0, 1, 1};
  const Matrix bad(3, 2, {0, 1, 2, NAN, 4, 5});
  EXPECT_THAT(message_of([&] { fit_logistic(bad, y); }), HasSubstr("row 1, column 1"));
  EXPECT_THAT(message_of([&] { fit_best(x, y, {}, {.l2 = {}}); }), HasSubstr("strengths to try"));
  EXPECT_THAT(message_of([&] { fit_best(x, y, {}, {.held_out = 1}); }), HasSubstr("held-out share"));
  const LogisticModel model = fit_logistic(x, y);
  EXPECT_THAT(message_of([&] { logits(model, Matrix(2, 3)); }), HasSubstr("expected 2 features, got 3"));
}

}  // namespace
}  // namespace orthant::fit
