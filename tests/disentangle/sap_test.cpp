#include "orthant/disentangle/sap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/fit/linear_svc.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::codes_of;
using test::factor_of;
using test::random_factor;
using testing::HasSubstr;

std::vector<float> column(const Matrix& codes, int64_t j) {
  std::vector<float> values;
  for (int64_t i = 0; i < codes.rows(); ++i) values.push_back(codes(i, j));
  return values;
}

TEST(LinearSvc, AgreesWithScikitLearn) {
  const test::FactorGolden golden;
  const auto slope = golden.numbers("svc_slope");
  const auto intercept = golden.numbers("svc_intercept");
  for (size_t i = 0; i < 6; ++i) {
    const auto x = column(golden.train, static_cast<int64_t>(i));
    for (size_t k = 0; k < 3; ++k) {
      const Factor& factor = golden.train_factors[k];
      const fit::LinearSvc svc =
          fit::fit_linear_svc(x, factor.classes, static_cast<int64_t>(factor.values.size()), 0.01);
      for (size_t c = 0; c < svc.slope.size(); ++c) {
        EXPECT_NEAR(svc.slope[c], slope[(i * 3 + k) * 5 + c], 1e-5) << i << " " << k << " " << c;
        EXPECT_NEAR(svc.intercept[c], intercept[(i * 3 + k) * 5 + c], 1e-5) << i << " " << k << " " << c;
      }
    }
  }
}

TEST(LinearSvc, TwoItemsByHand) {
  // x = +-1, y = +-1: by symmetry b = 0, and w = 4 C (1 - w), so w = 4 C / (1 + 4 C) = 2/3 for C = 1/2.
  const fit::LinearSvc svc = fit::fit_linear_svc(std::vector<float>{-1, 1}, std::vector<int32_t>{0, 1}, 2, 0.5);
  EXPECT_NEAR(svc.slope[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(svc.intercept[0], 0, 1e-12);
  EXPECT_EQ(svc.predict(-0.1), 0);
  EXPECT_EQ(svc.predict(0.1), 1);
}

// The gradient of the objective, summed item by item, vanishes at the solution.
TEST(LinearSvc, IsStationaryForAnyDataAndPenalty) {
  for (const double c : {1e-4, 0.01, 1.0, 100.0}) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Factor factor = random_factor("f", 120, 4, seed);
      const auto x = column(codes_of({factor}, 0.5, seed + 50), seed % 2 == 0 ? 0 : 1);
      const fit::LinearSvc svc = fit::fit_linear_svc(x, factor.classes, 4, c);
      for (int32_t k = 0; k < 4; ++k) {
        const double w = svc.slope[static_cast<size_t>(k)];
        const double b = svc.intercept[static_cast<size_t>(k)];
        const double weight = c * 120 / (4 * static_cast<double>(std::ranges::count(factor.classes, k)));
        double gw = w;
        double gb = b;
        double scale = 1;
        for (size_t i = 0; i < x.size(); ++i) {
          const double y = factor.classes[i] == k ? 1 : -1;
          const double slack = std::max(0.0, 1 - y * (w * x[i] + b));
          const double push = 2 * (y > 0 ? weight : c) * slack;
          gw -= push * y * x[i];
          gb -= push * y;
          scale += push;
        }
        EXPECT_NEAR(gw / scale, 0, 1e-5) << c << " " << seed << " " << k;
        EXPECT_NEAR(gb / scale, 0, 1e-5) << c << " " << seed << " " << k;
      }
    }
  }
}

TEST(Sap, AgreesWithScikitLearn) {
  const test::FactorGolden golden;
  const SapScore score = sap(golden.train, golden.train_factors, golden.test, golden.test_factors);
  const auto accuracy = golden.numbers("svc_accuracy");
  for (size_t i = 0; i < accuracy.size(); ++i) EXPECT_NEAR(score.scores.values()[i], accuracy[i], 1e-9) << i;
  EXPECT_NEAR(score.sap, golden.number("sap"), 1e-9);
}

TEST(Sap, OfContinuousFactorsIsTheGapOfSquaredCorrelations) {
  const test::FactorGolden golden;
  const SapScore score =
      sap(golden.train, golden.train_factors, golden.test, golden.test_factors, {.continuous = true});
  const auto r2 = golden.numbers("r2");
  for (size_t i = 0; i < r2.size(); ++i) EXPECT_NEAR(score.scores.values()[i], r2[i], 1e-9) << i;
  EXPECT_NEAR(score.sap, golden.number("sap_continuous"), 1e-9);
}

TEST(Sap, IsTheSameDenseAndSparseAndForAnyThreads) {
  const std::vector train_factors = {random_factor("a", 300, 4, 1), random_factor("b", 300, 2, 2)};
  const std::vector test_factors = {random_factor("a", 100, 4, 3), random_factor("b", 100, 2, 4)};
  Matrix train = codes_of(train_factors, 0.4, 5);
  Matrix test = codes_of(test_factors, 0.4, 6);
  for (float& x : train.mutable_values()) x = std::max(x, 0.0F);
  for (float& x : test.mutable_values()) x = std::max(x, 0.0F);
  const SapScore one = sap(train, train_factors, test, test_factors, {.threads = 1});
  const SapScore two =
      sap(SparseMatrix::from_dense(train), train_factors, SparseMatrix::from_dense(test), test_factors, {.threads = 3});
  EXPECT_EQ(one.scores, two.scores);
  EXPECT_EQ(one.sap, two.sap);
}

TEST(Sap, OfDeadCodesIsZeroAndConstantFactorsAreLeftOut) {
  const std::vector factors = {factor_of("a", 2, {0, 1, 0, 1}), factor_of("b", 2, {1, 1, 1, 1})};
  EXPECT_EQ(sap(Matrix(4, 3), factors, Matrix(4, 3), factors).sap, 0);
  const Matrix codes(4, 2, {0, 0, 9, 0, 0, 0, 9, 0});
  EXPECT_DOUBLE_EQ(sap(codes, factors, codes, factors).sap, 0.5) << "all right, less a dead code's half";
  EXPECT_DOUBLE_EQ(sap(Matrix(4, 1, {0, 9, 0, 9}), factors, Matrix(4, 1, {0, 9, 0, 9}), factors).sap, 1);
}

TEST(Sap, RefusesWhatDoesNotFit) {
  const std::vector factors = {factor_of("a", 2, {0, 1})};
  EXPECT_THAT(test::message_of([&] { sap(Matrix(2, 1), factors, Matrix(2, 2), factors); }),
              HasSubstr("[sap] expected 1 test codes, got 2"));
  EXPECT_THAT(test::message_of([&] { sap(Matrix(2, 1), factors, Matrix(2, 1), factors, {.c = 0}); }),
              HasSubstr("[sap] expected a penalty c above 0, got 0"));
  EXPECT_THAT(test::message_of([&] { sap(Matrix(2, 1), factors, Matrix(2, 1), {}); }),
              HasSubstr("[sap] expected 1 test factors, got 0"));
}

}  // namespace
}  // namespace orthant::disentangle
