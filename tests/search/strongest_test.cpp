#include "orthant/search/strongest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Strongest, AreInOrderAndEqualOnesByItem) {
  // Column 0 of unit rows: 0.6, 1, 1, 0, -1, 1. Column 1: 0.8 in row 0. Column 2 is dead.
  const Matrix features(6, 3,
                        {3, 4, 0,   //
                         2, 0, 0,   //
                         1, 0, 0,   //
                         0, 0, 0,   //
                         -5, 0, 0,  //
                         7, 0, 0});
  for (const int threads : {1, 2, 3}) {
    const StrongestItems found = strongest_items(features, {}, {.most = 2, .threads = threads});
    EXPECT_THAT(found.of(0), ElementsAre(1, 2));
    EXPECT_THAT(found.of(1), ElementsAre(0));
    EXPECT_THAT(found.of(2), IsEmpty());
  }
  EXPECT_THAT(strongest_items(features, {}, {.most = 9}).of(0), ElementsAre(1, 2, 5, 0));
  EXPECT_THAT(strongest_items(features, {}, {.most = 9, .threshold = 0.7}).of(0), ElementsAre(1, 2, 5));
  EXPECT_THAT(strongest_items(features, {true, false, true, true, true, true}, {.most = 2}).of(0), ElementsAre(2, 5));
}

TEST(Strongest, AShareIsRoundedUp) {
  EXPECT_EQ(items_of_share(0.01, 100), 1);
  EXPECT_EQ(items_of_share(0.01, 101), 2);
  EXPECT_EQ(items_of_share(0.07, 100), 7);
  EXPECT_EQ(items_of_share(0.01, 10000), 100);
  EXPECT_EQ(items_of_share(0.01, 1), 1);
  EXPECT_EQ(items_of_share(0.01, 0), 0);
}

TEST(Strongest, RejectsWhatDoesNotFit) {
  EXPECT_THAT(test::message_of([] { strongest_items(Matrix(2, 2), {}, {.most = 0}); }),
              HasSubstr("[strongest_items] expected"));
  EXPECT_THAT(test::message_of([] { strongest_items(Matrix(2, 2), {true}); }),
              HasSubstr("2 rows to keep or not, got 1"));
}

}  // namespace
}  // namespace orthant::search
