#include "orthant/catalogue/exemplars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::array<int64_t, 1> kFirst = {0};

// Column 1 makes every row 5 long, so that column 0 alone decides.
Matrix lengths_of_five() { return {6, 2, {3, 4, 4, 3, 0, 5, 3, 4, -3, 4, 0, 0}}; }

TEST(Exemplars, AreTheStrongestAndAnEvenChoiceOfAllThatFire) {
  const std::vector<int64_t> labels = {7, 8, 7, 7, 7, 7};
  const auto found = exemplars(lengths_of_five(), labels, kFirst, 2, 2);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].firing, 3);
  EXPECT_THAT(found[0].top, ElementsAre(1, 0));
  EXPECT_THAT(found[0].spread, ElementsAre(1, 3));
  EXPECT_EQ(found[0].commonest, 7);
  EXPECT_DOUBLE_EQ(found[0].consistency, 2.0 / 3);
}

TEST(Exemplars, AreTheSameOfSparseFeatures) {
  const Matrix dense = lengths_of_five();
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  constexpr std::array<int64_t, 2> kBoth = {1, 0};
  const auto a = exemplars(dense, {}, kBoth, 9, 9);
  const auto b = exemplars(sparse, {}, kBoth, 9, 9);
  for (size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(a[c].top, b[c].top);
    EXPECT_EQ(a[c].spread, a[c].top) << "with room for all, the even choice is all";
    EXPECT_EQ(a[c].commonest, -1);
  }
}

TEST(Exemplars, OfADeadFeatureAndOfUnknownClassesAreNone) {
  const auto dead = exemplars(Matrix(3, 1), {}, kFirst, 4, 4);
  EXPECT_EQ(dead[0].firing, 0);
  EXPECT_THAT(dead[0].top, IsEmpty());
  EXPECT_THAT(dead[0].spread, IsEmpty());
  const auto unknown = exemplars(Matrix(2, 1, {1, 1}), std::vector<int64_t>{-1, -1}, kFirst, 4, 1);
  EXPECT_EQ(unknown[0].commonest, -1);
  EXPECT_THAT(unknown[0].spread, ElementsAre(0));
}

TEST(Exemplars, RefuseWhatDoesNotFit) {
  EXPECT_THAT(message_of([] { exemplars(Matrix(2, 1), std::vector<int64_t>{1}, kFirst, 1, 1); }),
              HasSubstr("expected 2 labels or none, got 1"));
  constexpr std::array<int64_t, 1> kAbsent = {5};
  EXPECT_THAT(message_of([&] { exemplars(Matrix(2, 1), {}, kAbsent, 1, 1); }), HasSubstr("from 0 to 0, got 5"));
}

}  // namespace
}  // namespace orthant
