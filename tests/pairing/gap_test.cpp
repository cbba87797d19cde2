#include "orthant/pairing/gap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/pairing/random_pairs.h"

namespace orthant::pairing {
namespace {

using Owners = std::vector<int64_t>;

TEST(ModalityGap, IsWorkedOutByHand) {
  const Matrix a(2, 2, {2, 0, 0, 3});
  const Matrix b(2, 2, {5, 0, 5, 0});
  const ModalityGap gap = modality_gap(a, b, Owners{0, 1});
  EXPECT_DOUBLE_EQ(gap.distance, std::sqrt(0.5));  // (1/2, 1/2) and (1, 0)
  EXPECT_DOUBLE_EQ(gap.matched, 0.5);
  EXPECT_DOUBLE_EQ(gap.unmatched, 0.5);
  EXPECT_DOUBLE_EQ(gap.within_a, 0);
  EXPECT_DOUBLE_EQ(gap.within_b, 1);
}

TEST(ModalityGap, DoesNotDependOnLengthsNorOnHowFeaturesAreKept) {
  test::RandomPairs pairs = test::random_pairs(40, 90, 11, 6);
  const ModalityGap before = modality_gap(pairs.a, pairs.b, pairs.owner);
  for (int64_t i = 0; i < 40; ++i) {
    for (float& x : pairs.a.mutable_row(i)) x *= 4;
  }
  const SparseMatrix a = SparseMatrix::from_dense(pairs.a);
  const ModalityGap after = modality_gap(a, pairs.b, pairs.owner);
  EXPECT_NEAR(after.distance, before.distance, 1e-9);
  EXPECT_NEAR(after.unmatched, before.unmatched, 1e-9);
  EXPECT_NEAR(after.within_a, before.within_a, 1e-9);
}

TEST(ModalityGap, OfOnePairHasNoOthers) {
  const ModalityGap gap = modality_gap(Matrix(1, 1, {2.0F}), Matrix(1, 1, {3.0F}), Owners{0});
  EXPECT_EQ(gap.distance, 0);
  EXPECT_EQ(gap.matched, 1);
  EXPECT_TRUE(std::isnan(gap.unmatched));
  EXPECT_TRUE(std::isnan(gap.within_b));
}

}  // namespace
}  // namespace orthant::pairing
