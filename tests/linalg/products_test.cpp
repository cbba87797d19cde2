#include "orthant/linalg/products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/orthonormal.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::linalg {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Matrix64 identity(int64_t n) {
  Matrix64 matrix(n, n);
  for (int64_t i = 0; i < n; ++i) matrix(i, i) = 1;
  return matrix;
}

TEST(Linalg, ProductsByHand) {
  const Matrix64 a(2, 3, {1, 2, 3, 4, 5, 6});
  const Matrix64 b(3, 2, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(matmul(a, b), Matrix64(2, 2, {4, 5, 10, 11}));
  EXPECT_EQ(matmul_by_transposed(a, a), Matrix64(2, 2, {14, 32, 32, 77}));
  EXPECT_EQ(matmul_transposed(a, a), Matrix64(3, 3, {17, 22, 27, 22, 29, 36, 27, 36, 45}));
  EXPECT_EQ(transpose(a), Matrix64(3, 2, {1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(dot(a, a), 91);
}

TEST(Linalg, ProductsEqualThreeLoopsAtOddSizes) {
  for (const int64_t n : {1, 7, 255, 257, 1000}) {
    const Matrix64 a = random_matrix(n, 13, 1);
    const Matrix64 b = random_matrix(n, 5, 2);
    EXPECT_LT(max_difference(matmul_transposed(a, b), naive_product(transpose(a), transpose(b))), 1e-10);
    EXPECT_LT(max_difference(gram(a), naive_product(transpose(a), transpose(a))), 1e-10);
    EXPECT_LT(max_difference(matmul(transpose(a), b), naive_product(transpose(a), transpose(b))), 1e-10);
  }
  // Large enough a result to be split by its rows instead of summed over chunks.
  const Matrix64 wide = random_matrix(40, 700, 3);
  EXPECT_LT(max_difference(matmul_transposed(wide, wide), naive_product(transpose(wide), transpose(wide))), 1e-10);
}

TEST(Linalg, EmptyMatricesGiveZeros) {
  EXPECT_EQ(matmul(Matrix64(2, 0), Matrix64(0, 3)), Matrix64(2, 3));
  EXPECT_EQ(matmul_transposed(Matrix64(0, 2), Matrix64(0, 3)), Matrix64(2, 3));
  EXPECT_EQ(gram(Matrix64(5, 0)), Matrix64(0, 0));
}

TEST(Linalg, ResultsDoNotDependOnTheNumberOfThreads) {
  const Matrix64 a = random_matrix(3000, 24, 4);
  const Matrix64 b = random_matrix(24, 24, 5);
  EXPECT_EQ(gram(a, 1), gram(a, 3));
  EXPECT_EQ(matmul(a, b, 1), matmul(a, b, 3));
  EXPECT_EQ(orthonormalize(a, 1), orthonormalize(a, 3));
}

TEST(Linalg, EigenvectorsRebuildTheMatrixAndValuesFall) {
  const Matrix64 factor = random_matrix(30, 30, 6);
  const Matrix64 a = gram(factor);
  const SymmetricEigen eigen = symmetric_eigen(a);
  EXPECT_TRUE(std::is_sorted(eigen.values.rbegin(), eigen.values.rend()));
  Matrix64 scaled = eigen.vectors;
  for (int64_t i = 0; i < 30; ++i) {
    for (int64_t j = 0; j < 30; ++j) scaled(i, j) *= eigen.values[static_cast<size_t>(j)];
  }
  EXPECT_LT(max_difference(naive_product(scaled, eigen.vectors), a), 1e-10);
  EXPECT_LT(max_difference(gram(eigen.vectors), identity(30)), 1e-12);
}

TEST(Linalg, EigenvaluesByHand) {
  const SymmetricEigen eigen = symmetric_eigen(Matrix64(2, 2, {2, 1, 1, 2}));
  EXPECT_NEAR(eigen.values[0], 3, 1e-14);
  EXPECT_NEAR(eigen.values[1], 1, 1e-14);
  EXPECT_NEAR(eigen.vectors(0, 0), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(eigen.vectors(1, 0), std::sqrt(0.5), 1e-14);
}

TEST(Linalg, OrthonormalizeKeepsTheSpanOfIllConditionedColumns) {
  Matrix64 a = random_matrix(200, 6, 7);
  for (int64_t i = 0; i < 200; ++i) a(i, 5) = a(i, 0) + 1e-5 * a(i, 5);
  const Matrix64 q = orthonormalize(a);
  EXPECT_LT(max_difference(gram(q), identity(6)), 1e-12);
  EXPECT_LT(max_difference(matmul(q, matmul_transposed(q, a)), a), 1e-9);
}

TEST(Linalg, OrthonormalizeGivesZeroColumnsForMissingRank) {
  Matrix64 a = random_matrix(50, 3, 8);
  for (int64_t i = 0; i < 50; ++i) a(i, 2) = 2 * a(i, 1);
  const Matrix64 squares = gram(orthonormalize(a));
  EXPECT_NEAR(squares(0, 0), 1, 1e-12);
  EXPECT_NEAR(squares(1, 1), 1, 1e-12);
  EXPECT_EQ(squares(2, 2), 0);
}

TEST(Linalg, RejectsSizesThatDoNotFit) {
  EXPECT_THAT([] { matmul(Matrix64(2, 3), Matrix64(2, 3)); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("[matmul] expected 3 rows to multiply with, got 2")));
  EXPECT_THAT([] { symmetric_eigen(Matrix64(2, 3)); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("expected a square matrix, got 2 x 3")));
  EXPECT_THAT([] { symmetric_eigen(Matrix64(1, 1, {NAN})); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("finite")));
}

}  // namespace
}  // namespace orthant::linalg
