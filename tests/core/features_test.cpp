#include "orthant/core/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::pair<int64_t, float>> entries(const Features& features, int64_t row) {
  std::vector<std::pair<int64_t, float>> found;
  features.visit_row(row, [&](int64_t j, float x) { found.emplace_back(j, x); });
  return found;
}

TEST(Features, VisitsADenseRowWholeAndASparseRowWhereItHasEntries) {
  const Matrix dense(2, 3, {0, 3, 4, 0, 0, 0});
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  EXPECT_THAT(entries(dense, 0), ElementsAre(Pair(0, 0.0F), Pair(1, 3.0F), Pair(2, 4.0F)));
  EXPECT_THAT(entries(sparse, 0), ElementsAre(Pair(1, 3.0F), Pair(2, 4.0F)));
  EXPECT_TRUE(entries(sparse, 1).empty());
}

TEST(Features, GiveTheSameLengthsDenseAndSparse) {
  const Matrix dense(2, 3, {0, 3, 4, 0, 0, 0});
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  for (const Features& features : {Features(dense), Features(sparse)}) {
    EXPECT_EQ(features.rows(), 2);
    EXPECT_EQ(features.cols(), 3);
    EXPECT_DOUBLE_EQ(features.row_norm(0), 5);
    EXPECT_DOUBLE_EQ(features.row_norm(1), 0);
  }
}

TEST(Features, CountsAndPlacesWhatIsNotFinite) {
  Matrix dense(3, 2);
  dense(1, 1) = NAN;
  dense(2, 0) = INFINITY;
  EXPECT_THAT(test::message_of([&] { check_finite(dense, "f.npy"); }),
              HasSubstr("[f.npy] expected finite features, got 2 NaN or infinite, the first (nan) in row 1, column 1"));
  EXPECT_NO_THROW(check_finite(Matrix(2, 2), "f.npy"));
}

}  // namespace
}  // namespace orthant::measure
