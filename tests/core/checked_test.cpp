#include "orthant/core/checked.h"

#include <gtest/gtest.h>

#include <vector>

namespace orthant {
namespace {

TEST(Checked, RefusesWhatWouldWrapAround) {
  EXPECT_EQ(checked_multiply(1'000'000'007, 998'244'353), 998244359987710471);
  EXPECT_EQ(checked_multiply(int64_t{1} << 32, int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_add(INT64_MAX - 1, 1), INT64_MAX);
}

TEST(Checked, RefusesNegativeSizes) {
  EXPECT_EQ(checked_multiply(-1, 5), std::nullopt);
  EXPECT_EQ(checked_add(5, -1), std::nullopt);
}

TEST(Checked, ProductOfNoDimensionsIsOne) {
  EXPECT_EQ(checked_product(std::vector<int64_t>{}), 1);
  EXPECT_EQ(checked_product(std::vector<int64_t>{2, 3, 4}), 24);
  // A zero does not excuse an overflow before it: the header is nonsense either way.
  EXPECT_EQ(checked_product(std::vector<int64_t>{INT64_MAX, 2, 0}), std::nullopt);
}

}  // namespace
}  // namespace orthant
