#include "cli/frame/duration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::cli {
namespace {

using ::testing::HasSubstr;

TEST(Duration, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(parse_duration("--budget", "90s"), 90);
  EXPECT_EQ(parse_duration("--budget", "10min"), 600);
  EXPECT_EQ(parse_duration("--budget", "1.5h"), 5400);
  EXPECT_EQ(parse_duration("--budget", "1h30min"), 5400);
}

TEST(Duration, RefusesEverythingElseByTheFlagsName) {
  for (const char* text : {"", "10", "min", "10 min", "10m", "-5min", "0s", "1e9h", "nanh", "10min3", "infs"}) {
    EXPECT_THAT(
        test::message_of([&] { parse_duration("--budget", text); }),
        HasSubstr(std::string("--budget: expected a time from 1s to 1000h such as 90s, 10min or 1h30min, got '") +
                  text + "'"))
        << text;
  }
}

TEST(Duration, IsToldInTheUnitThatFits) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(90), "90 s");
  EXPECT_EQ(duration_text(150), "2 min");
  EXPECT_EQ(duration_text(3 * 3600), "3.0 h");
}

}  // namespace
}  // namespace orthant::cli
