#include "orthant/io/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/error.h"
#include "orthant/io/text_lines.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using namespace std::string_literals;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<CsvRow> parse(const std::string& text) { return parse_csv(std::as_bytes(std::span(text)), "test.csv"); }

TEST(Csv, ReadsQuotesLineEndsAndEmptyCells) {
  const auto rows = parse(
      "\xef\xbb\xbf"
      "a,b\r\n\n\"x, \"\"y\"\"\nz\",\r\n,last");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[0].cells, ElementsAre("a", "b"));
  EXPECT_THAT(rows[1].cells, ElementsAre("x, \"y\"\nz", ""));
  EXPECT_THAT(rows[2].cells, ElementsAre("", "last"));
  EXPECT_EQ(rows[1].line, 3);
  EXPECT_EQ(rows[2].line, 5);
}

TEST(Csv, TakesTheSeparatorOfTheFirstLine) {
  EXPECT_THAT(parse("a;b\n1,5;2").at(1).cells, ElementsAre("1,5", "2"));
  EXPECT_THAT(parse("a\tb\n1,5\t2").at(1).cells, ElementsAre("1,5", "2"));
  EXPECT_THAT(parse("alone\n1;2").at(1).cells, ElementsAre("1;2"));
  EXPECT_THAT(parse(""), IsEmpty());
}

TEST(Csv, RefusesBrokenQuotesAndOtherContent) {
  EXPECT_THAT(message_of([] { parse("a,b\n\"x"); }), HasSubstr("[test.csv] expected the quote of line 2 to end"));
  EXPECT_THAT(message_of([] { parse("a,\"b\"c\n"); }), HasSubstr("end of a cell behind its quote in line 1"));
  EXPECT_THAT(message_of([] { parse("a\0b"s); }), HasSubstr("expected text, got other content"));
}

TEST(TextLines, KeepsEmptyLinesButNoneBehindTheLast) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "a.txt", "\xef\xbb\xbfone\r\n\ntwo\n");
  EXPECT_THAT(read_lines(folder / "a.txt"), ElementsAre("one", "", "two"));
  test::write_bytes(folder / "a.txt", "one");
  EXPECT_THAT(read_lines(folder / "a.txt"), ElementsAre("one"));
  EXPECT_THROW(read_lines(folder / "none.txt"), IoError);
}

}  // namespace
}  // namespace orthant::io
