#include "orthant/core/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Matrix, StartsAllZero) {
  const Matrix m(2, 3);
  EXPECT_THAT(m.row(1), ElementsAre(0, 0, 0));
  EXPECT_EQ(m.size(), 6);
}

TEST(Matrix, IsRowMajor) {
  const Matrix m(2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(m(0, 2), 3);
  EXPECT_EQ(m(1, 0), 4);
  EXPECT_THAT(m.row(1), ElementsAre(4, 5, 6));
}

TEST(Matrix, RejectsSizesThatDoNotFit) {
  EXPECT_THAT(message_of([] { Matrix(2, 3, {1, 2}); }), HasSubstr("expected 2 x 3 values, got 2"));
  EXPECT_THAT(message_of([] { Matrix(-1, 3); }), HasSubstr("expected sizes that fit, got -1 x 3"));
  EXPECT_THAT(message_of([] { Matrix(int64_t{1} << 40, int64_t{1} << 40); }), HasSubstr("expected sizes that fit"));
}

TEST(Matrix, BorrowedElementsAreSharedAndReadOnly) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<float>> watch = owner;
  Matrix view = Matrix::borrow(owner->data(), 2, 2, owner);
  owner.reset();
  Matrix copy = view;
  EXPECT_FALSE(copy.owned());
  EXPECT_EQ(copy.data(), view.data());
  EXPECT_THAT(message_of([&] { copy.mutable_data(); }), HasSubstr("expected an owned matrix to write to"));
  view = {};
  EXPECT_FALSE(watch.expired());
  Matrix owned = copy.to_owned();
  copy = {};
  EXPECT_TRUE(watch.expired());
  owned(1, 1) = 9;
  EXPECT_THAT(owned.values(), ElementsAre(1, 2, 3, 9));
}

TEST(Matrix, EqualityComparesElementsNotOwnership) {
  const Matrix owned(1, 2, {1, 2});
  const float values[] = {1, 2};
  EXPECT_EQ(owned, Matrix::borrow(values, 1, 2, nullptr));
  EXPECT_FALSE(owned == Matrix(2, 1, {1, 2}));
}

}  // namespace
}  // namespace orthant
