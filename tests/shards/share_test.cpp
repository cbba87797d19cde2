#include "orthant/shards/share.h"

#include <gmock/gmock.h>

#include "tests/support/message_of.h"

namespace orthant::shards {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(Share, IsWholeBatchesByHand) {
  EXPECT_EQ(share_of(10, 4, 0, 2), (Range{0, 8}));
  EXPECT_EQ(share_of(10, 4, 1, 2), (Range{8, 10}));
  EXPECT_EQ(share_of(10, 4, 0, 1), (Range{0, 10}));
  EXPECT_EQ(share_of(1, 4, 0, 3), (Range{0, 1}));
  EXPECT_EQ(share_of(1, 4, 2, 3).size(), 0);
  EXPECT_EQ(share_of(0, 4, 0, 3).size(), 0);
}

TEST(Share, RangesFollowOneAnotherAndDifferByABatchAtMost) {
  for (int64_t items = 0; items < 40; ++items) {
    for (int64_t batch = 1; batch < 9; ++batch) {
      for (int64_t ranks = 1; ranks < 12; ++ranks) {
        int64_t end = 0;
        for (int64_t rank = 0; rank < ranks; ++rank) {
          const Range range = share_of(items, batch, rank, ranks);
          ASSERT_EQ(range.begin, end);
          ASSERT_TRUE(range.begin % batch == 0 || range.size() == 0);
          ASSERT_LE(range.size(), share_of(items, batch, 0, ranks).size());
          ASSERT_GE(range.size(), share_of(items, batch, 0, ranks).size() - 2 * batch + 1);
          end = range.end;
        }
        ASSERT_EQ(end, items);
      }
    }
  }
}

TEST(Share, RefusesRanksThatAreNotThere) {
  EXPECT_THAT(message_of([] { share_of(5, 1, 2, 2); }), HasSubstr("expected a rank from 0 to 1, got 2"));
  EXPECT_THAT(message_of([] { share_of(5, 0, 0, 1); }), HasSubstr("expected items in batches, got 5 in batches of 0"));
}

}  // namespace
}  // namespace orthant::shards
