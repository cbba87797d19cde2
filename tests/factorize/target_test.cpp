#include "orthant/factorize/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/linalg/products.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::factorize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Target, DenseAndSparseGiveTheSameProductsAtEveryWidth) {
  const Matrix64 a = random_matrix(70, 41, 1, 0.8);
  const Target dense(a);
  const Target sparse(SparseMatrix64::from_dense(a));
  for (const int64_t k : {1, 2, 3, 5, 8, 15, 16, 31, 32, 33, 67}) {
    const Matrix64 b = random_matrix(41, k, 2);
    const Matrix64 c = random_matrix(70, k, 3);
    const Matrix64 product = naive_product(a, linalg::transpose(b));
    const Matrix64 transposed = naive_product(linalg::transpose(a), linalg::transpose(c));
    EXPECT_LT(max_difference(dense.multiply(b), product), 1e-12) << k;
    EXPECT_LT(max_difference(sparse.multiply(b), product), 1e-12) << k;
    EXPECT_LT(max_difference(dense.multiply_transposed(c), transposed), 1e-12) << k;
    EXPECT_LT(max_difference(sparse.multiply_transposed(c), transposed), 1e-12) << k;
  }
  EXPECT_NEAR(dense.squared_norm(), sparse.squared_norm(), 1e-12);
  EXPECT_NEAR(dense.sum(), sparse.sum(), 1e-12);
  EXPECT_EQ(dense.diagonal(), sparse.diagonal());
  EXPECT_EQ(dense.nnz(), 70 * 41);
  EXPECT_EQ(sparse.nnz(), sparse.csr().nnz());
}

TEST(Target, ResultsDoNotDependOnTheNumberOfThreads) {
  const Target sparse(SparseMatrix64::from_dense(random_matrix(500, 300, 4, 0.9)));
  const Matrix64 b = random_matrix(300, 17, 5);
  const Matrix64 c = random_matrix(500, 17, 6);
  EXPECT_EQ(sparse.multiply(b, 1), sparse.multiply(b, 4));
  EXPECT_EQ(sparse.multiply_transposed(c, 1), sparse.multiply_transposed(c, 4));
}

TEST(Target, TakesSinglePrecision) {
  const Target target(SparseMatrix::from_dense(Matrix(1, 2, {0, 0.5F})));
  EXPECT_EQ(target.sum(), 0.5);
  EXPECT_EQ(Target(Matrix(1, 2, {0.25F, 0.5F})).sum(), 0.75);
}

TEST(Target, ExplicitZerosAndEmptyRowsAreHarmless) {
  const Target target(SparseMatrix64(3, 2, {0, 0, 2, 2}, {0, 1}, {0.0, 2.0}));
  EXPECT_EQ(target.multiply(Matrix64(2, 1, {1, 1})), Matrix64(3, 1, {0, 2, 0}));
  EXPECT_EQ(target.multiply_transposed(Matrix64(3, 1, {1, 1, 1})), Matrix64(2, 1, {0, 2}));
  EXPECT_THAT(target.diagonal(), ElementsAre(0, 2));
}

TEST(Target, NamesTheFirstOffendingEntry) {
  EXPECT_THAT(
      [] {
        Target(Matrix64(2, 2, {1, 2, -0.5, -3})).check_nonnegative("here");
      },
      ThrowsMessage<std::invalid_argument>("[here] expected no negative entries, got -0.5 at (1, 0)"));
  EXPECT_THAT(
      [] {
        Target(SparseMatrix64(1, 5, {0, 2}, {1, 4}, {1, INFINITY})).check_finite("here");
      },
      ThrowsMessage<std::invalid_argument>("[here] expected finite values, got inf at (0, 4)"));
  EXPECT_THAT([] { Target(Matrix64(1, 1, {NAN})).check_nonnegative("here"); },
              ThrowsMessage<std::invalid_argument>("[here] expected finite values, got nan at (0, 0)"));
}

TEST(Target, SymmetryIsCheckedInBothForms) {
  const Matrix64 skew(3, 3, {1, 0.5, 0, 0.25, 1, 0, 0, 0, 1});
  const auto message = "[here] expected a symmetric matrix, got 0.5 at (0, 1) but 0.25 at (1, 0)";
  EXPECT_THAT([&] { Target(skew).check_symmetric("here"); }, ThrowsMessage<std::invalid_argument>(message));
  EXPECT_THAT([&] { Target(SparseMatrix64::from_dense(skew)).check_symmetric("here"); },
              ThrowsMessage<std::invalid_argument>(message));
  // Only one of the two entries is stored.
  EXPECT_THAT(
      [&] {
        Target(SparseMatrix64(2, 2, {0, 0, 1}, {0}, {2.0})).check_symmetric("here");
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("got 2 at (1, 0) but 0 at (0, 1)")));
  EXPECT_THAT([] { Target(Matrix64(2, 3)).check_symmetric("here"); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("got 2 x 3")));
  Target(linalg::gram(random_matrix(9, 5, 1))).check_symmetric("here");
}

TEST(Target, RejectsOperandsAndResultsOfTheWrongSize) {
  const Target target(Matrix64(2, 3));
  EXPECT_THAT([&] { target.multiply(Matrix64(2, 1)); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("expected 3 rows to multiply with, got 2")));
  Matrix64 out(1, 1);
  EXPECT_THAT([&] { target.multiply(Matrix64(3, 1), out); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("expected a result of 2 x 1, got 1 x 1")));
  EXPECT_THAT([&] { target.csr(); }, ThrowsMessage<std::invalid_argument>(HasSubstr("got a dense one")));
}

}  // namespace
}  // namespace orthant::factorize
