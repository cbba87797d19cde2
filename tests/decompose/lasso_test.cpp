#include "orthant/decompose/lasso.h"

#include <gtest/gtest.h>

#include <cmath>

#include "orthant/decompose/centre.h"
#include "orthant/decompose/dictionary.h"
#include "tests/decompose/vectors.h"

namespace orthant::decompose {
namespace {

struct Problem {
  Dictionary dictionary;
  std::vector<float> products;  // of one vector with the words
};

Problem random_problem(int64_t words, int64_t width, uint64_t seed) {
  Problem problem{make_dictionary(test::random_vectors(words, width, seed), test::numbered(words), "w", "n"), {}};
  const Matrix vector = test::random_vectors(1, width, seed + 1000);
  std::vector<float> z(static_cast<size_t>(width));
  centred_row(vector, 0, {}, z);
  for (int64_t j = 0; j < words; ++j) {
    double sum = 0;
    for (int64_t k = 0; k < width; ++k) {
      sum += static_cast<double>(problem.dictionary.atoms(j, k)) * z[static_cast<size_t>(k)];
    }
    problem.products.push_back(static_cast<float>(sum));
  }
  return problem;
}

// g_j = lambda/2 on the words that are used, at most that elsewhere.
void expect_optimal(const Problem& problem, const NonNegativeLasso::Code& code, double lambda) {
  std::vector<double> gradient(problem.products.begin(), problem.products.end());
  for (size_t k = 0; k < code.words.size(); ++k) {
    EXPECT_GT(code.weights[k], 0);
    for (size_t j = 0; j < gradient.size(); ++j) {
      gradient[j] -=
          static_cast<double>(code.weights[k]) * problem.dictionary.gram(code.words[k], static_cast<int64_t>(j));
    }
  }
  for (const double g : gradient) EXPECT_LE(g, lambda / 2 + 5e-6);
  for (const int32_t word : code.words) EXPECT_NEAR(gradient[static_cast<size_t>(word)], lambda / 2, 5e-6);
}

TEST(NonNegativeLasso, OrthogonalWordsAreSoftThresholded) {
  Matrix gram(3, 3);
  for (int64_t i = 0; i < 3; ++i) gram(i, i) = 1;
  NonNegativeLasso lasso(gram);
  const std::vector<float> products = {0.8F, -0.5F, 0.3F};
  lasso.start(products);
  lasso.solve(0.4);
  const auto code = lasso.code();
  EXPECT_EQ(code.words, (std::vector<int32_t>{0, 2}));
  EXPECT_NEAR(code.weights[0], 0.6, 1e-6);
  EXPECT_NEAR(code.weights[1], 0.1, 1e-6);
}

TEST(NonNegativeLasso, MeetsTheConditionsOfAnOptimum) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(40 + 20 * static_cast<int64_t>(seed % 5), 12, seed);
    NonNegativeLasso lasso(problem.dictionary.gram);
    for (const double lambda : {1.0, 0.3, 0.05, 0.4}) {  // also back up the path, from a warm start
      lasso.start(problem.products);
      lasso.solve(lambda);
      expect_optimal(problem, lasso.code(), lambda);
    }
    lasso.solve(0.1);
    lasso.solve(0.5);
    expect_optimal(problem, lasso.code(), 0.5);
  }
}

TEST(NonNegativeLasso, FindsAPenaltyForSoManyWords) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(80, 16, seed);
    NonNegativeLasso lasso(problem.dictionary.gram);
    for (const int64_t wanted : {1, 3, 8}) {
      lasso.start(problem.products);
      const double lambda = lasso.solve_active(wanted);
      EXPECT_EQ(lasso.active(), wanted) << seed;
      expect_optimal(problem, lasso.code(), lambda);
    }
  }
}

TEST(NonNegativeLasso, UsesNoWordThatPointsAway) {
  Matrix gram(2, 2, {1, 0, 0, 1});
  NonNegativeLasso lasso(gram);
  const std::vector<float> products = {-0.2F, 0};
  lasso.start(products);
  EXPECT_EQ(lasso.solve_active(2), 0);
  EXPECT_EQ(lasso.active(), 0);
  EXPECT_TRUE(lasso.code().words.empty());
}

TEST(NonNegativeLasso, EndsWhereTwoWordsAreTheSame) {
  Matrix gram(3, 3, {1, 1, 0, 1, 1, 0, 0, 0, 1});
  NonNegativeLasso lasso(gram);
  const std::vector<float> products = {0.9F, 0.9F, 0.3F};
  lasso.start(products);
  lasso.solve(0.2);
  double together = 0;
  const auto code = lasso.code();
  for (size_t k = 0; k < code.words.size(); ++k) together += code.words[k] < 2 ? code.weights[k] : 0.0F;
  EXPECT_NEAR(together, 0.8, 1e-6);
}

}  // namespace
}  // namespace orthant::decompose
