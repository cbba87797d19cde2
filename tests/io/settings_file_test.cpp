#include "orthant/io/settings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string rejection(const std::string& text) {
  return test::message_of([&] { parse_settings(text, "run.toml"); });
}

TEST(SettingsFile, TablesBecomeDottedKeys) {
  const Settings settings = parse_settings("seed = 3\n[views]\nflip = true\ncrop.min = 0.08\nname = 'x'", "run.toml");
  const Settings expected = {
      {"seed", int64_t{3}}, {"views.flip", true}, {"views.crop.min", 0.08}, {"views.name", std::string("x")}};
  EXPECT_EQ(settings, expected);
}

TEST(SettingsFile, SaysWhereTheMistakeIs) {
  EXPECT_THAT(rejection("a = 1\nb = = 2"), AllOf(HasSubstr("[run.toml] expected TOML"), HasSubstr("line 2, column 5")));
  EXPECT_THAT(rejection("a = 1\na = 2"), HasSubstr("[run.toml] expected TOML"));
}

TEST(SettingsFile, RefusesABracketWithoutAKey) {
  for (const std::string text : {"a = 1\n[`b]",
                                 "a = 1\n[\x03"
                                 "b]",
                                 "a = 1\n[\x1b]"}) {
    EXPECT_THAT(rejection(text), AllOf(HasSubstr("[run.toml] expected TOML"), HasSubstr("line 2")));
  }
}

TEST(SettingsFile, RefusesArraysDatesAndHugeFiles) {
  EXPECT_THAT(rejection("[x]\na = [1, 2]"), HasSubstr("a boolean, number or text for x.a at line 2, column 5"));
  EXPECT_THAT(rejection("a = 1979-05-27"), HasSubstr("got an array or a date"));
  EXPECT_THAT(rejection(std::string(2 << 20, '#')), HasSubstr("at most 1 MiB, got 2097152 bytes"));
}

TEST(SettingsFile, ReadsFromDiskAndNamesTheMissingFile) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "run.toml", "a = 1\n");
  EXPECT_EQ(read_settings(folder / "run.toml"), (Settings{{"a", int64_t{1}}}));
  EXPECT_THAT(test::message_of([&] { read_settings(folder / "none.toml"); }), HasSubstr("none.toml"));
}

}  // namespace
}  // namespace orthant::io
