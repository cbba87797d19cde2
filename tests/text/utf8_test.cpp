#include "orthant/text/utf8.h"

#include <gmock/gmock.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

constexpr size_t kValid = std::string_view::npos;

TEST(Utf8, TakesEveryLengthOfCodePoint) {
  EXPECT_EQ(first_invalid_utf8(""), kValid);
  EXPECT_EQ(first_invalid_utf8("abc"), kValid);
  EXPECT_EQ(first_invalid_utf8("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"), kValid);
}

TEST(Utf8, RefusesWhatTheStandardRefusesAtItsPlace) {
  EXPECT_EQ(first_invalid_utf8("ab\xff"), 2U) << "no such byte";
  EXPECT_EQ(first_invalid_utf8("\xc3\xa9\xc3"), 2U) << "cut off";
  EXPECT_EQ(first_invalid_utf8("\x80"), 0U) << "a continuation alone";
  EXPECT_EQ(first_invalid_utf8("a\xc0\xaf"), 1U) << "overlong";
  EXPECT_EQ(first_invalid_utf8("a\xe0\x80\xaf"), 1U) << "overlong";
  EXPECT_EQ(first_invalid_utf8("\xed\xa0\x80"), 0U) << "a surrogate";
  EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0U) << "beyond U+10FFFF";
}

TEST(Utf8, CodePointsAreNumbersOrARefusal) {
  EXPECT_EQ(code_points("a\xc3\xa9\xf0\x9f\x98\x80"), (std::vector<int32_t>{'a', 0xe9, 0x1f600}));
  EXPECT_THAT(test::message_of([] { code_points("ab\xff"); }),
              HasSubstr("[text] expected UTF-8, got the byte 255 at place 2"));
}

TEST(Utf8, BlankIsWhatShowsNothing) {
  for (const char* blank : {"", " ", "\t \r", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\x8b"}) EXPECT_TRUE(is_blank(blank));
  for (const char* seen : {"a", " .", "\xc3\xa9", "-"}) EXPECT_FALSE(is_blank(seen));
}

}  // namespace
}  // namespace orthant
