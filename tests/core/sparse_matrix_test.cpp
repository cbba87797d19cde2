#include "orthant/core/sparse_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string rejection(int64_t rows, int64_t cols, std::vector<int64_t> indptr, std::vector<int32_t> indices) {
  std::vector<float> values(indices.size(), 1.0F);
  return test::message_of([&] { SparseMatrix(rows, cols, std::move(indptr), std::move(indices), std::move(values)); });
}

TEST(SparseMatrix, RowsGiveIndicesAndValues) {
  const SparseMatrix m(3, 4, {0, 2, 2, 3}, {0, 3, 1}, {5, 6, 7});
  EXPECT_EQ(m.nnz(), 3);
  EXPECT_THAT(m.row(0).indices, ElementsAre(0, 3));
  EXPECT_THAT(m.row(0).values, ElementsAre(5, 6));
  EXPECT_TRUE(m.row(1).indices.empty());
}

TEST(SparseMatrix, RejectsEveryBrokenRule) {
  EXPECT_EQ(rejection(2, 3, {0, 1, 2}, {0, 2}), "nothing was thrown");
  EXPECT_THAT(rejection(2, 3, {0, 2}, {0, 2}), HasSubstr("expected indptr of 2 + 1 entries, got 2"));
  EXPECT_THAT(rejection(2, 3, {1, 1, 2}, {0, 2}), HasSubstr("expected indptr from 0 to 2, got 1 to 2"));
  EXPECT_THAT(rejection(2, 3, {0, 1, 3}, {0, 2}), HasSubstr("expected indptr from 0 to 2, got 0 to 3"));
  EXPECT_THAT(rejection(3, 3, {0, 2, 1, 2}, {0, 2}), HasSubstr("expected indptr to rise, got 1 after 2 at row 1"));
  EXPECT_THAT(rejection(3, 3, {0, 9, 1, 2}, {0, 2}), HasSubstr("expected indptr to rise, got 1 after 9 at row 1"));
  EXPECT_THAT(rejection(1, 3, {0, 2}, {2, 0}), HasSubstr("rising column indices below 3 in row 0, got 0 after 2"));
  EXPECT_THAT(rejection(1, 3, {0, 2}, {1, 1}), HasSubstr("got 1 after 1"));
  EXPECT_THAT(rejection(1, 3, {0, 1}, {3}), HasSubstr("got 3 after -1"));
  EXPECT_THAT(rejection(1, 3, {0, 1}, {-1}), HasSubstr("got -1 after -1"));
  EXPECT_THAT(rejection(-1, 3, {}, {}), HasSubstr("got -1 x 3"));
}

TEST(SparseMatrix, DenseRoundTripIsExact) {
  Rng rng(7);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix dense(static_cast<int64_t>(rng.below(9)), static_cast<int64_t>(rng.below(9)));
    for (float& x : dense.mutable_values()) x = rng.bernoulli(0.3) ? static_cast<float>(rng.normal()) : 0.0F;
    EXPECT_EQ(SparseMatrix::from_dense(dense).to_dense(), dense);
  }
}

TEST(SparseMatrix, FromDenseDropsSmallValuesButNeverNan) {
  const Matrix dense(1, 4, {0.5F, -0.05F, NAN, 0.1F});
  EXPECT_THAT(SparseMatrix::from_dense(dense, 0.1F).indices(), ElementsAre(0, 2));
}

}  // namespace
}  // namespace orthant
