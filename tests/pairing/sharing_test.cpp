#include "orthant/pairing/sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pairing/random_pairs.h"
#include "tests/support/message_of.h"

namespace orthant::pairing {
namespace {

using testing::HasSubstr;
using Owners = std::vector<int64_t>;

TEST(Sharing, IsWorkedOutByHand) {
  const Matrix a(2, 4, {1, -3, 0, 0, 0, 0, 0, 0});
  const Matrix b(2, 4, {2, 0, 2, 1e-6F, 1, 1, 1, 1});
  const Sharing found = sharing(a, b, Owners{0, 1});  // the second pair shares nothing: its item is silent
  EXPECT_DOUBLE_EQ(found.jaccard, (1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(found.mass_a, 0.25 / 2);
  EXPECT_DOUBLE_EQ(found.mass_b, 0.5 / 2);
  const LiveFeatures live = live_in_both(a, b);
  EXPECT_EQ(live.both, 2);
  EXPECT_EQ(live.only_a, 0);
  EXPECT_EQ(live.only_b, 2);
  EXPECT_EQ(live.neither, 0);
}

TEST(Sharing, IsAllOfItForDenseFeaturesAndTheSameForSparseOnes) {
  const Matrix dense(3, 5, std::vector<float>(15, -0.5F));
  EXPECT_DOUBLE_EQ(sharing(dense, dense, Owners{2, 0, 1}).jaccard, 1);
  const test::RandomPairs pairs = test::random_pairs(30, 70, 12, 9);
  const Sharing one = sharing(pairs.a, pairs.b, pairs.owner);
  const SparseMatrix a = SparseMatrix::from_dense(pairs.a);
  const SparseMatrix b = SparseMatrix::from_dense(pairs.b);
  const Sharing other = sharing(a, b, pairs.owner);
  EXPECT_EQ(one.jaccard, other.jaccard);
  EXPECT_EQ(one.mass_b, other.mass_b);
  EXPECT_NEAR(one.mass_a, 29.0 / 30, 0.1);  // rows of b have all that their item has, and more; item 2 is zero
}

TEST(Sharing, ByChanceIsWithAnyOtherItem) {
  const Owners owner = {0, 1, 2, 2, 0, 1, 1, 2, 0, 0, 0, 1};
  std::vector<int64_t> seen(3);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Owners others = other_owners(owner, 3, seed);
    for (size_t j = 0; j < owner.size(); ++j) {
      ASSERT_NE(others[j], owner[j]);
      ++seen.at(static_cast<size_t>(others[j]));
    }
  }
  EXPECT_GT(*std::ranges::min_element(seen), 40);
  EXPECT_THAT(test::message_of([] { other_owners(Owners{0}, 1, 0); }), HasSubstr("expected at least two items, got 1"));
}

TEST(Sharing, RejectsAThresholdOfZero) {
  EXPECT_THAT(test::message_of([] { sharing(Matrix(1, 1), Matrix(1, 1), Owners{0}, 0); }),
              HasSubstr("expected a threshold above 0, got 0"));
}

}  // namespace
}  // namespace orthant::pairing
