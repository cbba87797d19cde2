#include "orthant/adapt/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace orthant::adapt {
namespace {

TEST(RowOrder, AnEpochTakesEveryRowThatIsNotLeftOutOnce) {
  for (const auto& [block, window] : {std::pair{1000, 1}, {7, 5}, {64, 2}, {1, 1000}}) {
    const RowOrder order(1000, {0, 5, 6, 999}, block, window, 3);
    EXPECT_EQ(order.size(), 996);
    std::set<int64_t> seen;
    int64_t count = 0;
    for (int64_t w = 0; w < order.windows(); ++w) {
      const auto blocks = order.blocks(2, w);
      for (const auto& [row, slot] : order.places(2, w)) {
        seen.insert(row);
        ++count;
        // The slot is where the row lies when the blocks are read one behind the other.
        EXPECT_EQ(blocks[static_cast<size_t>(slot / block)] * block + slot % block, row);
      }
    }
    EXPECT_EQ(count, 996);
    EXPECT_EQ(std::ssize(seen), 996);
    for (const int64_t left_out : {0, 5, 6, 999}) EXPECT_FALSE(seen.contains(left_out));
  }
}

TEST(RowOrder, IsAFunctionOfSeedAndEpoch) {
  const RowOrder order(500, {}, 10, 4, 1);
  EXPECT_EQ(order.places(0, 3), RowOrder(500, {}, 10, 4, 1).places(0, 3));
  EXPECT_NE(order.places(0, 3), order.places(1, 3));
  EXPECT_NE(order.places(0, 3), RowOrder(500, {}, 10, 4, 2).places(0, 3));
}

}  // namespace
}  // namespace orthant::adapt
