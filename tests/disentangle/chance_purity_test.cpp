#include "orthant/disentangle/chance_purity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using testing::HasSubstr;

double choose(int64_t n, int64_t k) {
  double ways = k > n ? 0 : 1;
  for (int64_t i = 0; i < k && k <= n; ++i) ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return ways;
}

// The exact expectation, over every way to divide s items among the classes.
double exact(const std::vector<int64_t>& members, size_t c, int64_t left, int64_t largest, double ways) {
  if (c == members.size()) return left == 0 ? ways * static_cast<double>(largest) : 0;
  double sum = 0;
  for (int64_t x = 0; x <= left; ++x) {
    sum += exact(members, c + 1, left - x, std::max(largest, x), ways * choose(members[c], x));
  }
  return sum;
}

TEST(ChancePurity, IsTheExpectationOverEveryChoice) {
  for (const std::vector<int64_t>& members :
       {std::vector<int64_t>{5, 5}, {50, 30, 20}, {1, 2, 3, 4}, {10, 10, 10, 10}}) {
    int64_t all = 0;
    for (const int64_t count : members) all += count;
    const auto found = chance_purity(members, 10);
    ASSERT_EQ(found.size(), 11U);
    EXPECT_EQ(found[0], 0);
    EXPECT_EQ(found[1], 1);
    for (int64_t s = 2; s <= 10; ++s) {
      const double expected = exact(members, 0, s, 0, 1) / choose(all, s) / static_cast<double>(s);
      EXPECT_NEAR(found[static_cast<size_t>(s)], expected, 0.025) << s << " of " << all;  // four standard errors
    }
  }
}

TEST(ChancePurity, NearsTheShareOfTheLargestClassWithAllItems) {
  const auto found = chance_purity(std::vector<int64_t>{600, 400}, 1200);
  EXPECT_GT(found[10], 0.64);
  EXPECT_DOUBLE_EQ(found[1000], 0.6);
  EXPECT_DOUBLE_EQ(found[1200], 0.6);
}

TEST(ChancePurity, ClassesAreOnlyNames) {
  EXPECT_EQ(chance_purity(std::vector<int64_t>{7, 30, 12}, 20), chance_purity(std::vector<int64_t>{30, 12, 7}, 20));
}

TEST(ChancePurity, RejectsNoItems) {
  EXPECT_THAT(test::message_of([] { chance_purity({}, 3); }), HasSubstr("[chance_purity] expected items"));
}

}  // namespace
}  // namespace orthant::disentangle
