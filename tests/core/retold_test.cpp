#include "orthant/core/retold.h"

#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

TEST(Retold, LeavesOutWhereItWasFound) {
  EXPECT_EQ(without_where("[nmf_hals] expected a rank from 1 to 3, got 9"), "expected a rank from 1 to 3, got 9");
  EXPECT_EQ(without_where("no brackets"), "no brackets");
  EXPECT_EQ(without_where("[never closed"), "[never closed");
}

TEST(Retold, SaysOfTheFileWhatWasSaidOfTheFunction) {
  EXPECT_EQ(retold("m.npy", [] { return 3; }), 3);
  EXPECT_EQ(test::message_of([] { retold("m.npy", [] { fail("[nmf_hals] expected a rank, got 9"); }); }),
            "[m.npy] expected a rank, got 9");
  EXPECT_EQ(test::message_of([] { retold("m.npy", [] { fail_io("[other.npy] expected bytes, got none"); }); }),
            "[other.npy] expected bytes, got none")
      << "of a file already";
}

}  // namespace
}  // namespace orthant
