#include "orthant/factorize/symmetric_nmf.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>

#include "orthant/core/rng.h"
#include "orthant/factorize/spectral.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/simulator.h"
#include "tests/support/message_of.h"

namespace orthant::factorize {
namespace {

using test::message_of;
using ::testing::HasSubstr;
using Solver = std::function<Factorization(const Target&, const SolverOptions&)>;

struct NamedSolver {
  std::string name;
  Solver solve;
};

std::vector<NamedSolver> solvers() {
  return {{"symnmf_mu", [](const Target& a, const SolverOptions& o) { return symnmf_mu(a, o); }},
          {"symnmf_pgd", [](const Target& a, const SolverOptions& o) { return symnmf_pgd(a, o); }},
          {"symnmf_cd", [](const Target& a, const SolverOptions& o) { return symnmf_cd(a, o); }},
          {"symnmf_hals", [](const Target& a, const SolverOptions& o) { return symnmf_hals(a, o); }}};
}

std::map<std::string, Matrix64> read_golden() {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/theory/symmetric_steps.txt");
  std::map<std::string, Matrix64> matrices;
  std::string name;
  int64_t rows = 0;
  int64_t cols = 0;
  while (in >> name >> rows >> cols) {
    Matrix64 matrix(rows, cols);
    for (double& value : matrix.mutable_values()) in >> value;
    matrices[name] = std::move(matrix);
  }
  return matrices;
}

void expect_near(const Matrix64& a, const Matrix64& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (int64_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], tolerance) << "entry " << i;
}

Matrix64 random_symmetric(int64_t n, uint64_t seed, double filled = 1) {
  Matrix64 a(n, n);
  Rng rng(seed);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) a(i, j) = a(j, i) = rng.bernoulli(filled) ? rng.uniform() : 0;
  }
  return a;
}

TEST(SymmetricNmf, TakesTheStepsThatNumpyTakes) {
  const auto golden = read_golden();
  ASSERT_EQ(golden.size(), 9u);
  const Target target(golden.at("target"));
  const Matrix64& start = golden.at("start");
  const SolverOptions once{.rank = 3, .max_iterations = 1, .tolerance = 0};
  const SolverOptions five{.rank = 3, .max_iterations = 5, .tolerance = 0};
  expect_near(symnmf_mu(target, start, once).w, golden.at("mu"), 1e-13);
  expect_near(symnmf_mu(target, start, once, 0.3).w, golden.at("mu_beta_0.3"), 1e-13);
  expect_near(symnmf_mu(target, start, five).w, golden.at("mu_five"), 1e-12);
  expect_near(symnmf_pgd(target, start, once).w, golden.at("pgd"), 1e-12);
  expect_near(symnmf_hals(target, start, once, 0.7).w, golden.at("hals"), 1e-12);
  expect_near(symnmf_cd(target, start, once).w, golden.at("cd"), 1e-7);
}

TEST(SymmetricNmf, NeverRaisesItsLossAndReportsTheTrueOne) {
  for (const auto& [name, solve] : solvers()) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Matrix64 a = random_symmetric(30, seed, seed % 2 == 0 ? 1 : 0.2);
      const Factorization found = solve(a, {.rank = 5, .max_iterations = 60, .tolerance = 0, .seed = seed});
      const double norm = linalg::squared_norm(a);
      for (size_t i = 1; i < found.losses.size(); ++i) {
        ASSERT_LE(found.losses[i], found.losses[i - 1] + 1e-12 * norm) << name << " at " << i;
      }
      EXPECT_EQ(found.losses.size(), static_cast<size_t>(found.iterations) + 1);
      for (const double value : found.w.values()) ASSERT_GE(value, 0) << name;
      const double loss = theory::factorization_loss(a, found.w);
      if (name != "symnmf_hals") {
        EXPECT_NEAR(found.losses.back(), loss, 1e-10 * norm) << name;
      }
      EXPECT_LT(loss, 0.9 * found.losses.front() * (name == "symnmf_hals" ? 2 : 1)) << name;
    }
  }
}

TEST(SymmetricNmf, PullsThePenalisedFactorsTogether) {
  const Matrix64 a = theory::simulate({.classes = 4, .samples = 40}).cooccurrence();
  const Factorization found = symnmf_hals(a, {.rank = 4, .max_iterations = 3000, .tolerance = 1e-15});
  EXPECT_NEAR(2 * found.losses.back(), theory::factorization_loss(a, found.w), 1e-10);
}

TEST(SymmetricNmf, RecoversTheLatentClassesOverTenSeeds) {
  for (const auto& [name, solve] : solvers()) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      const theory::LatentClasses world =
          theory::simulate({.classes = 5, .samples = 80, .overlap = 0.15, .seed = seed});
      const Matrix64 truth = theory::to_factors(world.optimal_features(), world.marginal);
      const Matrix64 a = world.cooccurrence();
      const Factorization found =
          solve(a, {.rank = 5, .max_iterations = 1500, .tolerance = 1e-9, .init = Init::nndsvd, .seed = seed});
      EXPECT_GE(theory::match_columns(truth, found.w).min, 0.99) << name << " seed " << seed;
    }
  }
}

TEST(SymmetricNmf, GivesTheSameForDenseAndSparse) {
  for (const auto& [name, solve] : solvers()) {
    const Matrix64 a = random_symmetric(40, 3, 0.15);
    const SolverOptions options{.rank = 4, .max_iterations = 20, .tolerance = 0};
    expect_near(solve(a, options).w, solve(SparseMatrix64::from_dense(a), options).w, 1e-9);
  }
}

TEST(SymmetricNmf, GivesTheSameForEveryNumberOfThreads) {
  const Matrix64 a = random_symmetric(600, 3, 0.05);
  for (const auto& [name, solve] : solvers()) {
    SolverOptions options{.rank = 3, .max_iterations = 4, .tolerance = 0, .threads = 1};
    const Matrix64 one = solve(SparseMatrix64::from_dense(a), options).w;
    options.threads = 3;
    EXPECT_EQ(one, solve(SparseMatrix64::from_dense(a), options).w) << name;
  }
}

TEST(SymmetricNmf, GivesIsolatedNodesZeroRowsAndNeverNan) {
  Matrix64 a = random_symmetric(12, 8);
  for (int64_t j = 0; j < 12; ++j) a(5, j) = a(j, 5) = 0;
  for (const auto& [name, solve] : solvers()) {
    for (const Init init : {Init::random, Init::nndsvd}) {
      for (const Matrix64& target : {a, Matrix64(12, 12)}) {
        const Factorization found = solve(target, {.rank = 12, .max_iterations = 50, .init = init});
        for (const double value : found.w.values()) ASSERT_TRUE(std::isfinite(value) && value >= 0) << name;
        for (const double value : found.w.row(5)) EXPECT_EQ(value, 0) << name;
        for (const double loss : found.losses) ASSERT_TRUE(std::isfinite(loss)) << name;
      }
    }
  }
}

TEST(SymmetricNmf, RefusesWhatItCannotFactorise) {
  const Matrix64 good = random_symmetric(6, 1);
  Matrix64 negative = good;
  negative(2, 3) = negative(3, 2) = -0.5;
  Matrix64 crooked = good;
  crooked(1, 4) += 0.5;
  Matrix64 nan = good;
  nan(0, 0) = NAN;
  for (const auto& [name, solve] : solvers()) {
    const auto refusal = [&](const Matrix64& a, SolverOptions options) {
      return message_of([&] { solve(a, options); });
    };
    EXPECT_THAT(refusal(negative, {.rank = 2}), HasSubstr("[" + name + "] expected no negative entries, got -0.5"));
    EXPECT_THAT(refusal(crooked, {.rank = 2}), HasSubstr("[" + name + "] expected a symmetric matrix"));
    EXPECT_THAT(refusal(nan, {.rank = 2}), HasSubstr("got nan at (0, 0)"));
    EXPECT_THAT(refusal(Matrix64(3, 4), {.rank = 2}), HasSubstr("expected a square matrix, got 3 x 4"));
    EXPECT_THAT(refusal(good, {.rank = 7}), HasSubstr("rank from 1 to 6"));
    EXPECT_THAT(refusal(good, {.rank = 0}), HasSubstr("rank from 1 to 6"));
    EXPECT_THAT(refusal(good, {.rank = 2, .tolerance = -1}), HasSubstr("tolerance"));
  }
  EXPECT_THAT(message_of([&] { symnmf_mu(good, {.rank = 2}, 0); }), HasSubstr("expected beta above 0"));
  EXPECT_THAT(message_of([&] { symnmf_hals(good, {.rank = 2}, -1); }), HasSubstr("expected a finite penalty"));
  EXPECT_THAT(message_of([&] { symnmf_cd(good, Matrix64(6, 3), {.rank = 2}); }), HasSubstr("a start of 6 x 2"));
  Matrix64 bad_start(6, 2);
  bad_start(0, 0) = -1;
  EXPECT_THAT(message_of([&] { symnmf_pgd(good, bad_start, {.rank = 2}); }), HasSubstr("finite and not negative"));
}

TEST(SymmetricNmf, StopsWhenToldAndReturnsWhatItHas) {
  for (const auto& [name, solve] : solvers()) {
    SolverOptions options{.rank = 3, .max_iterations = 100, .tolerance = 0};
    options.progress = [](const SolverStep& step) { return step.iteration < 4; };
    const Factorization found = solve(random_symmetric(20, 2), options);
    EXPECT_EQ(found.iterations, 4) << name;
    EXPECT_FALSE(found.converged) << name;
  }
}

TEST(Spectral, AgreesWithNumpyAndIsTheBestOfItsRank) {
  const auto golden = read_golden();
  const Factorization found = spectral(golden.at("target"), {.rank = 3});
  expect_near(found.w, golden.at("eigen"), 1e-12);
  EXPECT_NEAR(found.losses.back(), theory::factorization_loss(golden.at("target"), found.w), 1e-11);
  const Factorization constrained = symnmf_cd(golden.at("target"), {.rank = 3, .max_iterations = 200});
  EXPECT_LE(found.losses.back(), constrained.losses.back());
}

TEST(Spectral, FindsTheSameLargeAsSmall) {
  // 1,100 samples go by iteration; twenty classes, so that a block of nine columns does not span all of A at once.
  const theory::LatentClasses world =
      theory::simulate({.classes = 20, .samples = 1100, .overlap = 0.2, .prior = theory::Prior::geometric, .seed = 2});
  const Matrix64 a = world.cooccurrence();
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(a);
  const Factorization dense = spectral(a, {.rank = 5, .tolerance = 1e-9});
  EXPECT_TRUE(dense.converged);
  EXPECT_GT(dense.iterations, 1);
  double expected = linalg::squared_norm(a);
  for (size_t j = 0; j < 5; ++j) expected -= eigen.values[j] * eigen.values[j];
  EXPECT_NEAR(dense.losses.back(), expected, 1e-9);
  for (int64_t j = 0; j < 5; ++j) {
    for (int64_t i = 0; i < 1100; ++i) {
      const double value = eigen.vectors(i, j) * std::sqrt(eigen.values[static_cast<size_t>(j)]);
      ASSERT_NEAR(dense.w(i, j), value, 1e-6) << i << ", " << j;
    }
  }
}

TEST(Spectral, FindsEqualEigenvaluesAndSkipsNegativeOnes) {
  const theory::LatentClasses apart = theory::simulate({.classes = 7, .samples = 1200, .overlap = 0, .seed = 1});
  const Factorization blocks = spectral(apart.sparse_cooccurrence(), {.rank = 7, .tolerance = 1e-9});
  EXPECT_NEAR(blocks.losses.back(), 0, 1e-9);  // seven eigenvalues of 1 and nothing else

  // A path of 1,200 nodes has eigenvalues 2 cos(pi j / 1201), as many below zero as above.
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  for (int32_t i = 0; i < 1200; ++i) {
    if (i > 0) indices.push_back(i - 1);
    if (i < 1199) indices.push_back(i + 1);
    indptr.push_back(static_cast<int64_t>(indices.size()));
  }
  const std::vector<double> ones(indices.size(), 1.0);
  const SparseMatrix64 path(1200, 1200, indptr, indices, ones);
  const Factorization found = spectral(path, {.rank = 2, .max_iterations = 2000, .tolerance = 1e-5});
  double top = 0;
  for (int64_t i = 0; i < 1200; ++i) top += found.w(i, 0) * found.w(i, 0);
  EXPECT_NEAR(top, 2 * std::cos(M_PI / 1201), 1e-6);
}

TEST(Spectral, CountsNegativeEigenvaluesAsZero) {
  const Factorization found = spectral(Matrix64(2, 2, {0, 1, 1, 0}), {.rank = 2});
  EXPECT_NEAR(found.w(0, 0), std::sqrt(0.5), 1e-14);
  EXPECT_EQ(found.w(0, 1), 0);
  EXPECT_NEAR(found.losses.back(), 1, 1e-14);
}

TEST(Spectral, RefusesWhatHasNoEigenvectors) {
  EXPECT_THAT(message_of([] { spectral(Matrix64(2, 3), {.rank = 1}); }), HasSubstr("square matrix, got 2 x 3"));
  EXPECT_THAT(message_of([] { spectral(Matrix64(2, 2, {0, 1, 2, 0}), {.rank = 1}); }), HasSubstr("symmetric"));
  EXPECT_THAT(message_of([] { spectral(Matrix64(2, 2, {NAN, 0, 0, 0}), {.rank = 1}); }), HasSubstr("nan"));
  EXPECT_THAT(message_of([] { spectral(Matrix64(2, 2), {.rank = 3}); }), HasSubstr("rank from 1 to 2"));
}

TEST(RandomRotation, IsOrthogonalAndDiffersBySeed) {
  for (const int64_t k : {1, 2, 7, 40}) {
    const Matrix64 rotation = random_rotation(k, 5);
    const Matrix64 identity = linalg::gram(rotation);
    for (int64_t i = 0; i < k; ++i) {
      for (int64_t j = 0; j < k; ++j) EXPECT_NEAR(identity(i, j), i == j ? 1 : 0, 1e-13);
    }
  }
  EXPECT_NE(random_rotation(4, 1), random_rotation(4, 2));
}

}  // namespace
}  // namespace orthant::factorize
