#include "orthant/factorize/nndsvd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/linalg/products.h"
#include "tests/factorize/golden_matrix.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::factorize {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(TruncatedSvd, SingularValuesEqualNumPys) {
  const Matrix64 expected = golden("singular_values");
  const TruncatedSvd svd = truncated_svd(SparseMatrix64::from_dense(golden("a")), {.rank = 8});
  for (int64_t j = 0; j < 8; ++j) EXPECT_NEAR(svd.values[static_cast<size_t>(j)], expected(j, 0), 1e-9);
}

TEST(TruncatedSvd, RebuildsATargetOfFullRankWithOrthonormalVectors) {
  const Matrix64 a = random_matrix(25, 12, 1);
  TruncatedSvd svd = truncated_svd(a, {.rank = 12});
  const Matrix64 u_gram = linalg::gram(svd.u);
  for (int64_t i = 0; i < 12; ++i) {
    for (int64_t j = 0; j < 12; ++j) EXPECT_NEAR(u_gram(i, j), i == j, 1e-10);
  }
  for (int64_t i = 0; i < 25; ++i) {
    for (int64_t j = 0; j < 12; ++j) svd.u(i, j) *= svd.values[static_cast<size_t>(j)];
  }
  EXPECT_LT(max_difference(naive_product(svd.u, svd.v), a), 1e-10);
}

TEST(TruncatedSvd, TripletsBeyondTheRankAreZero) {
  const Matrix64 a = naive_product(random_matrix(20, 2, 1), random_matrix(15, 2, 2));
  const TruncatedSvd svd = truncated_svd(a, {.rank = 4});
  EXPECT_GT(svd.values[1], 0);
  EXPECT_EQ(svd.values[2], 0);
  EXPECT_EQ(svd.v(3, 3), 0);
}

TEST(Nndsvd, EqualsScikitLearns) {
  const Factors start = nndsvd(golden("a"), {.rank = 4});
  EXPECT_LT(max_difference(start.w, golden("nndsvd_w")), 2e-6);
  EXPECT_LT(max_difference(start.h, golden("nndsvd_h")), 2e-6);
}

TEST(Nndsvd, IsNonNegativeWithZerosAndFillsDeadColumns) {
  const Matrix64 a = naive_product(random_matrix(20, 2, 1, 0.5), random_matrix(15, 2, 2, 0.5));
  const Factors start = nndsvd(a, {.rank = 5});
  EXPECT_GE(*std::ranges::min_element(start.w.values()), 0);
  EXPECT_GT(std::ranges::count(start.w.values(), 0.0), 0);
  const Matrix64 squares = linalg::gram(start.w);
  for (int64_t j = 0; j < 5; ++j) EXPECT_GT(squares(j, j), 0) << j;
}

TEST(Nndsvd, StartsNearerThanRandomNumbers) {
  const Matrix64 a = golden("a");
  const SolverOptions options{.rank = 4, .max_iterations = 0};
  SolverOptions random = options;
  random.init = Init::random;
  SolverOptions informed = options;
  informed.init = Init::nndsvd;
  EXPECT_LT(nmf_hals(a, informed).losses[0], 0.5 * nmf_hals(a, random).losses[0]);
}

TEST(Nndsvd, RejectsBadRanksAndValues) {
  EXPECT_THAT([] { nndsvd(Matrix64(4, 3), {.rank = 4}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("expected a rank from 1 to 3, got 4")));
  EXPECT_THAT([] { truncated_svd(Matrix64(1, 1, {INFINITY}), {.rank = 1}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("got inf at (0, 0)")));
}

}  // namespace
}  // namespace orthant::factorize
