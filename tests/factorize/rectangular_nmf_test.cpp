#include "orthant/factorize/rectangular_nmf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "orthant/linalg/products.h"
#include "tests/factorize/golden_matrix.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::factorize {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

double squared_error(const Matrix64& a, const Factorization& result) {
  const Matrix64 x = naive_product(result.w, result.h);
  double sum = 0;
  for (int64_t i = 0; i < a.size(); ++i) sum += std::pow(a.data()[i] - x.data()[i], 2);
  return sum;
}

double divergence(const Matrix64& a, const Factorization& result) {
  const Matrix64 x = naive_product(result.w, result.h);
  double sum = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    const double value = a.data()[i];
    sum += (value > 0 ? value * std::log(value / x.data()[i]) : 0) - value + x.data()[i];
  }
  return sum;
}

struct Method {
  std::string name;
  std::function<Factorization(const Target&, const SolverOptions&)> solve;
  std::function<double(const Matrix64&, const Factorization&)> loss;
};

class RectangularNmf : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(
    Methods, RectangularNmf,
    ::testing::Values(Method{"hals", [](const Target& a, const SolverOptions& o) { return nmf_hals(a, o); },
                             squared_error},
                      Method{"mu", [](const Target& a, const SolverOptions& o) { return nmf_mu(a, o); }, squared_error},
                      Method{"kl", [](const Target& a, const SolverOptions& o) { return nmf_kl(a, o); }, divergence}),
    [](const auto& method) { return method.param.name; });

TEST_P(RectangularNmf, LossIsTheStatedOneAndNeverRises) {
  for (const int64_t rank : {1, 3, 8, 19}) {
    const Matrix64 a = random_matrix(60, 37, static_cast<uint64_t>(rank), 0.6);
    const auto result = GetParam().solve(a, {.rank = rank, .max_iterations = 60, .tolerance = 0});
    EXPECT_NEAR(result.losses.back(), GetParam().loss(a, result), 1e-9);
    for (size_t t = 1; t < result.losses.size(); ++t) {
      EXPECT_LE(result.losses[t], result.losses[t - 1] * (1 + 1e-12)) << rank << " at " << t;
    }
    EXPECT_EQ(result.losses.size(), static_cast<size_t>(result.iterations) + 1);
    EXPECT_THAT(result.w.values(), Each(Ge(0)));
    EXPECT_THAT(result.h.values(), Each(Ge(0)));
  }
}

TEST_P(RectangularNmf, RecoversAnExactFactorisation) {
  const Matrix64 a = naive_product(random_matrix(40, 3, 1, 0.5), random_matrix(30, 3, 2, 0.5));
  const auto result = GetParam().solve(a, {.rank = 3, .max_iterations = 20'000, .tolerance = 1e-12, .seed = 3});
  EXPECT_LT(max_difference(naive_product(result.w, result.h), a), 1e-3);
}

TEST_P(RectangularNmf, DenseAndSparseTargetsAgree) {
  const Matrix64 a = random_matrix(50, 30, 7, 0.7);
  const SolverOptions options{.rank = 5, .max_iterations = 30, .tolerance = 0};
  const auto dense = GetParam().solve(a, options);
  const auto sparse = GetParam().solve(SparseMatrix64::from_dense(a), options);
  EXPECT_LT(max_difference(dense.w, sparse.w), 1e-8);
  EXPECT_LT(max_difference(dense.h, sparse.h), 1e-8);
}

TEST_P(RectangularNmf, DoesNotDependOnTheNumberOfThreadsButOnTheSeed) {
  const Target a(SparseMatrix64::from_dense(random_matrix(700, 300, 8, 0.9)));
  for (const Init init : {Init::random, Init::nndsvd}) {
    SolverOptions options{.rank = 6, .max_iterations = 10, .init = init, .threads = 1};
    const auto one = GetParam().solve(a, options);
    options.threads = 3;
    const auto three = GetParam().solve(a, options);
    EXPECT_EQ(one.w, three.w);
    EXPECT_EQ(one.h, three.h);
    EXPECT_EQ(one.losses, three.losses);
  }
  const auto seeded = [&](uint64_t seed) {
    return GetParam().solve(a, {.rank = 6, .max_iterations = 1, .seed = seed}).w;
  };
  EXPECT_EQ(seeded(1), seeded(1));
  EXPECT_NE(seeded(1), seeded(2));
}

TEST_P(RectangularNmf, EmptyRowsAndColumnsGetZeros) {
  Matrix64 a = random_matrix(20, 15, 9);
  for (int64_t j = 0; j < 15; ++j) a(4, j) = 0;
  for (int64_t i = 0; i < 20; ++i) a(i, 7) = 0;
  for (const Init init : {Init::random, Init::nndsvd}) {
    const auto result = GetParam().solve(a, {.rank = 4, .max_iterations = 50, .init = init});
    EXPECT_THAT(result.w.row(4), Each(0));
    EXPECT_THAT(result.h.row(7), Each(0));
    EXPECT_THAT(result.losses, Each(Ge(0)));
  }
}

TEST_P(RectangularNmf, AnAllZeroTargetGivesZeros) {
  for (const Init init : {Init::random, Init::nndsvd}) {
    const auto result = GetParam().solve(SparseMatrix64(4, 3, {0, 0, 0, 0, 0}, {}, {}), {.rank = 2, .init = init});
    EXPECT_EQ(result.w, Matrix64(4, 2));
    EXPECT_EQ(result.h, Matrix64(3, 2));
    EXPECT_TRUE(result.converged);
    EXPECT_THAT(result.losses, Each(0));
  }
}

TEST_P(RectangularNmf, MoreRankThanTheTargetHasStaysFinite) {
  Matrix64 ones(12, 9);
  std::ranges::fill(ones.mutable_values(), 1.0);
  for (const Init init : {Init::random, Init::nndsvd}) {
    const auto result = GetParam().solve(ones, {.rank = 9, .max_iterations = 2000, .tolerance = 1e-9, .init = init});
    EXPECT_LT(max_difference(naive_product(result.w, result.h), ones), 1e-2);
  }
}

TEST_P(RectangularNmf, HugeAndTinyValuesStayFinite) {
  for (const double scale : {1e-60, 1e60}) {
    Matrix64 a = random_matrix(20, 10, 11, 0.5);
    for (double& value : a.mutable_values()) value *= scale;
    const auto result = GetParam().solve(a, {.rank = 4, .max_iterations = 200});
    EXPECT_LT(result.losses.back(), result.losses.front());
    for (const double value : result.w.values()) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST_P(RectangularNmf, ColumnsAreBalanced) {
  const auto result = GetParam().solve(random_matrix(25, 14, 10), {.rank = 3, .max_iterations = 20});
  const Matrix64 w = linalg::gram(result.w);
  const Matrix64 h = linalg::gram(result.h);
  for (int64_t j = 0; j < 3; ++j) EXPECT_NEAR(w(j, j), h(j, j), 1e-9);
}

TEST_P(RectangularNmf, ProgressIsToldEachIterationAndMayStop) {
  int64_t calls = 0;
  SolverOptions options{.rank = 2, .max_iterations = 100, .tolerance = 0};
  options.progress = [&](const SolverStep& step) {
    EXPECT_EQ(step.iteration, ++calls);
    return calls < 5;
  };
  const auto result = GetParam().solve(random_matrix(20, 10, 1), options);
  EXPECT_EQ(result.iterations, 5);
  EXPECT_FALSE(result.converged);
}

TEST_P(RectangularNmf, StopsWhereTheStatedRuleSays) {
  const Matrix64 a = random_matrix(20, 10, 1);
  const auto result = GetParam().solve(a, {.rank = 3, .max_iterations = 10'000, .tolerance = 1e-5});
  ASSERT_TRUE(result.converged);
  const double scale = GetParam().name == "kl" ? Target(a).sum() : linalg::squared_norm(a);
  for (size_t t = 1; t < result.losses.size(); ++t) {
    const double change = (result.losses[t - 1] - result.losses[t]) / scale;
    EXPECT_EQ(change <= 1e-5, t + 1 == result.losses.size()) << t;
  }
  EXPECT_EQ(GetParam().solve(a, {.rank = 3, .max_iterations = 0}).iterations, 0);
}

TEST_P(RectangularNmf, RejectsWhatCannotBeFactorised) {
  const auto solving = [](Matrix64 a, int64_t rank) { return [=] { GetParam().solve(a, {.rank = rank}); }; };
  const std::string where = "[nmf_" + GetParam().name + "] ";
  EXPECT_THAT(solving(Matrix64(2, 2, {1, -1, 0, 1}), 1),
              ThrowsMessage<std::invalid_argument>(where + "expected no negative entries, got -1 at (0, 1)"));
  EXPECT_THAT(solving(Matrix64(2, 2, {1, 1, NAN, 1}), 1),
              ThrowsMessage<std::invalid_argument>(where + "expected finite values, got nan at (1, 0)"));
  EXPECT_THAT(solving(Matrix64(5, 3), 4),
              ThrowsMessage<std::invalid_argument>(where + "expected a rank from 1 to 3 for a matrix of 5 x 3, got 4"));
  EXPECT_THAT(solving(Matrix64(5, 3), 0), ThrowsMessage<std::invalid_argument>(HasSubstr("got 0")));
  EXPECT_THAT(solving(Matrix64(0, 3), 1), ThrowsMessage<std::invalid_argument>(HasSubstr("0 x 3")));
  EXPECT_THAT(solving(Matrix64(1, 1, {1e200}), 1), ThrowsMessage<std::invalid_argument>(HasSubstr("above 1e150")));
  EXPECT_THAT([] { GetParam().solve(Matrix64(2, 2), {.rank = 1, .tolerance = NAN}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("tolerance")));
}

TEST(NmfMu, LossesEqualNumPysFromTheSameStart) {
  const Matrix64 expected = golden("mu");
  const auto result = nmf_mu(golden("a"), {golden("w0"), golden("h0")},
                             {.rank = 4, .max_iterations = expected.size() - 1, .tolerance = 0});
  for (int64_t t = 0; t < expected.size(); ++t) {
    EXPECT_NEAR(result.losses[static_cast<size_t>(t)], expected(t, 0), 1e-8) << t;
  }
}

TEST(NmfKl, LossesEqualNumPysFromTheSameStart) {
  const Matrix64 expected = golden("kl");
  const auto result = nmf_kl(golden("a"), {golden("w0"), golden("h0")},
                             {.rank = 4, .max_iterations = expected.size() - 1, .tolerance = 0});
  for (int64_t t = 0; t < expected.size(); ++t) {
    EXPECT_NEAR(result.losses[static_cast<size_t>(t)], expected(t, 0), 1e-8) << t;
  }
}

TEST(NmfKl, OneIterationByHand) {
  // X starts as ones; W <- W * row sums / 2 = (2, 4) with H = (1, 1), then H <- column sums / 6 = (1, 1).
  const Matrix64 a(2, 2, {1, 3, 5, 3});
  const auto result =
      nmf_kl(a, {Matrix64(2, 1, {1, 1}), Matrix64(2, 1, {1, 1})}, {.rank = 1, .max_iterations = 1, .tolerance = 0});
  EXPECT_LT(max_difference(naive_product(result.w, result.h), Matrix64(2, 2, {2, 2, 4, 4})), 1e-12);
  const double start = 3 * std::log(3) + 5 * std::log(5) + 3 * std::log(3) - 12 + 4;
  const double end = std::log(0.5) + 3 * std::log(1.5) + 5 * std::log(1.25) + 3 * std::log(0.75);
  EXPECT_NEAR(result.losses[0], start, 1e-12);
  EXPECT_NEAR(result.losses[1], end, 1e-12);
}

TEST(NmfHals, EndsNoWorseThanScikitLearnsCoordinateDescent) {
  const Matrix64 a = golden("a");
  const auto result = nmf_hals(a, {.rank = 4, .max_iterations = 5000, .tolerance = 1e-12, .init = Init::nndsvd});
  EXPECT_LE(std::sqrt(squared_error(a, result)), golden("cd_error")(0, 0) * 1.01);
}

TEST(NmfHals, AStationaryPointMeetsTheOptimalityConditions) {
  const Matrix64 a = golden("a");
  const auto result = nmf_hals(a, {.rank = 4, .max_iterations = 20'000, .tolerance = 0});
  const Matrix64 wg = linalg::matmul(result.w, linalg::gram(result.h));
  const Matrix64 product = Target(a).multiply(result.h);
  for (int64_t i = 0; i < wg.size(); ++i) {
    const double gradient = wg.data()[i] - product.data()[i];
    EXPECT_GE(gradient, -1e-5);
    EXPECT_LE(gradient * result.w.data()[i], 1e-5);
  }
}

TEST(NmfHals, FactorsHaveExactZeros) {
  const Matrix64 a = naive_product(random_matrix(60, 4, 1, 0.6), random_matrix(40, 4, 2, 0.6));
  const auto result = nmf_hals(a, {.rank = 4, .max_iterations = 2000, .tolerance = 1e-14, .init = Init::nndsvd});
  EXPECT_GT(std::ranges::count(result.w.values(), 0.0), 60);
}

TEST(NmfHals, RejectsAStartThatDoesNotFit) {
  EXPECT_THAT(
      [] {
        nmf_hals(Matrix64(3, 2), {Matrix64(3, 1), Matrix64(3, 1)}, {.rank = 1});
      },
      ThrowsMessage<std::invalid_argument>("[nmf_hals] expected a start of 3 x 1 and 2 x 1, got 3 x 1 and 3 x 1"));
  EXPECT_THAT(
      [] {
        nmf_hals(Matrix64(3, 2), {Matrix64(3, 1, {0, -1, 0}), Matrix64(2, 1)}, {.rank = 1});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("finite and not negative")));
}

}  // namespace
}  // namespace orthant::factorize
