#include "orthant/decompose/centre.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/decompose/vectors.h"
#include "tests/support/message_of.h"

namespace orthant::decompose {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(Centre, IsTheMeanOfUnitRows) {
  const Matrix vectors(2, 2, {3, 4, 0, 2});
  const std::vector<double> mean = mean_direction(vectors, "x");
  EXPECT_NEAR(mean[0], 0.3, 1e-7);
  EXPECT_NEAR(mean[1], 0.9, 1e-7);
}

TEST(Centre, TakesTheMeanOffAndScalesAgain) {
  const Matrix vectors(1, 2, {3, 4});
  std::vector<float> row(2);
  EXPECT_TRUE(centred_row(vectors, 0, std::vector<double>{0.6, 0}, row));
  EXPECT_NEAR(row[0], 0, 1e-6);
  EXPECT_NEAR(row[1], 1, 1e-6);
  EXPECT_FALSE(centred_row(vectors, 0, std::vector<double>{0.6, 0.8}, row));
  EXPECT_EQ(row, std::vector<float>(2));
}

TEST(Centre, IsTheSameForDenseAndSparseAndAnyThreads) {
  const Matrix dense = test::random_vectors(500, 7, 1);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  EXPECT_EQ(mean_direction(dense, "x", 1), mean_direction(dense, "x", 2));
  EXPECT_EQ(mean_direction(dense, "x", 1), mean_direction(sparse, "x", 2));
}

TEST(Centre, RefusesRowsWithoutADirection) {
  EXPECT_THAT(message_of([] { mean_direction(Matrix(0, 3), "v.npy"); }),
              HasSubstr("[v.npy] expected vectors, got 0 x 3"));
  EXPECT_THAT(message_of([] {
                mean_direction(Matrix(2, 2, {1, 2, 0, 0}), "v.npy");
              }),
              HasSubstr("[v.npy] expected vectors with a direction, got zeros in row 1"));
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THAT(message_of([&] {
                  mean_direction(Matrix(2, 2, {1, 2, bad, 0}), "v.npy");
                }),
                HasSubstr("[v.npy] expected finite features, got 1 NaN or infinite"));
  }
}

}  // namespace
}  // namespace orthant::decompose
