#include "orthant/factorize/cooccurrence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/factorize/nndsvd.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::factorize {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

SparseMatrix64 make(int64_t nodes, std::vector<int32_t> from, std::vector<int32_t> to, std::vector<double> weights) {
  return cooccurrence(nodes, from, to, weights);
}

TEST(Cooccurrence, PairsAddUpOnBothSidesAndOnceOnTheDiagonal) {
  const SparseMatrix64 a = make(4, {0, 1, 2, 1}, {1, 0, 2, 2}, {1, 2, 5, 3});
  EXPECT_EQ(a.to_dense(), Matrix64(4, 4, {0, 3, 0, 0, 3, 0, 3, 0, 0, 3, 5, 0, 0, 0, 0, 0}));
}

TEST(Cooccurrence, EqualsADenseSumAndIsExactlySymmetric) {
  Rng rng(3);
  std::vector<int32_t> from;
  std::vector<int32_t> to;
  std::vector<double> weights;
  Matrix64 expected(20, 20);
  for (int e = 0; e < 2000; ++e) {
    const auto i = static_cast<int32_t>(rng.below(20));
    const auto j = static_cast<int32_t>(rng.below(20));
    from.push_back(i);
    to.push_back(j);
    weights.push_back(rng.uniform());
    expected(i, j) += weights.back();
    if (i != j) expected(j, i) += weights.back();
  }
  const Target a(cooccurrence(20, from, to, weights));
  EXPECT_LT(max_difference(a.csr().to_dense(), expected), 1e-12);
  a.check_symmetric("test", 0);
  normalized(a).check_symmetric("test", 0);
}

TEST(Cooccurrence, RejectsWhatIsNotAPair) {
  EXPECT_THAT([] { make(2, {0}, {2}, {1}); }, ThrowsMessage<std::invalid_argument>(HasSubstr("got 0 and 2 in pair 0")));
  EXPECT_THAT([] { make(2, {0}, {1}, {-1}); }, ThrowsMessage<std::invalid_argument>(HasSubstr("got -1 in pair 0")));
  EXPECT_THAT([] { make(2, {0}, {1, 1}, {1}); }, ThrowsMessage<std::invalid_argument>(HasSubstr("as many from")));
}

TEST(Normalized, ByHandWithAnIsolatedNode) {
  // Degrees 1, 4, 3, 0.
  const Target a(make(4, {0, 1}, {1, 2}, {1, 3}));
  const double r = 0.5;
  const double s = 3 / std::sqrt(12);
  EXPECT_LT(
      max_difference(normalized(a).csr().to_dense(), Matrix64(4, 4, {0, r, 0, 0, r, 0, s, 0, 0, s, 0, 0, 0, 0, 0, 0})),
      1e-15);
}

TEST(Normalized, DenseAndSparseAgreeAndTheLargestSingularValueIsOne) {
  const Matrix64 a = random_matrix(30, 20, 5, 0.5);
  const Target dense = normalized(a);
  EXPECT_LT(max_difference(dense.dense(), normalized(SparseMatrix64::from_dense(a)).csr().to_dense()), 1e-14);
  EXPECT_NEAR(truncated_svd(dense, {.rank = 1}).values[0], 1, 1e-12);
}

TEST(Normalized, AnEmptyMatrixStaysEmptyAndNegativeEntriesAreRefused) {
  EXPECT_THAT(normalized(Matrix64(3, 2)).dense().values(), Each(0));
  EXPECT_THAT([] { normalized(Matrix64(1, 1, {-1})); },
              ThrowsMessage<std::invalid_argument>("[normalized] expected no negative entries, got -1 at (0, 0)"));
}

}  // namespace
}  // namespace orthant::factorize
