#include "orthant/classify/class_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::classify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ClassNames read(const std::string& text, const std::vector<std::string>& templates = {}) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "names.txt", text);
  return read_class_names(folder / "names.txt", templates);
}

std::string refusal(const std::string& text, const std::vector<std::string>& templates = {}) {
  return test::message_of([&] { read(text, templates); });
}

TEST(ClassNames, AreTheirOwnPhrasesWithoutTemplates) {
  const ClassNames classes = read("crab\nsea star\r\n");
  EXPECT_THAT(classes.names, ElementsAre("crab", "sea star"));
  EXPECT_THAT(classes.phrases, ElementsAre("crab", "sea star"));
  EXPECT_THAT(classes.class_of, ElementsAre(0, 1));
}

TEST(ClassNames, StandInEveryTemplate) {
  const ClassNames classes = read("crab\nfish\n", {"a {}", "{} and {}"});
  EXPECT_THAT(classes.phrases, ElementsAre("a crab", "crab and crab", "a fish", "fish and fish"));
  EXPECT_THAT(classes.class_of, ElementsAre(0, 0, 1, 1));
}

TEST(ClassNames, MayHaveSeveralPhrasingsInLinesOfTheirOwn) {
  const ClassNames classes = read("crab\ta red crab\nfish\tthe fish\ncrab\tcrabs\ncrab\n", {"a {}"});
  EXPECT_THAT(classes.names, ElementsAre("crab", "fish"));
  EXPECT_THAT(classes.phrases, ElementsAre("a red crab", "the fish", "crabs", "a crab"));
  EXPECT_THAT(classes.class_of, ElementsAre(0, 1, 0, 0));
}

TEST(ClassNames, AreRefusedWithTheLine) {
  EXPECT_THAT(refusal(""), HasSubstr("names.txt] expected the name of a class in each line, got an empty file"));
  EXPECT_THAT(refusal("crab\n\nfish\n"), HasSubstr("names.txt, line 2] expected the name of a class, got a blank one"));
  EXPECT_THAT(refusal("crab\nfish\ncrab\n"), HasSubstr("line 3] expected each name once, got crab again"));
  EXPECT_THAT(refusal("crab\ta\ncrab\ta\n"), HasSubstr("line 2] expected each phrase of crab once, got \"a\" again"));
  EXPECT_THAT(refusal("crab\t \n"), HasSubstr("line 1] expected a phrase for crab, got a blank one"));
  EXPECT_THAT(refusal("fish\ncr\xff"
                      "b\n"),
              HasSubstr("line 2] expected UTF-8, got another byte at column 3"));
  EXPECT_THAT(refusal("crab\n", {"a photo"}), HasSubstr("[template] expected {} where the name goes, got \"a photo\""));
}

TEST(ClassNames, GiveLabelsTheNumbersOfOtherNames) {
  const std::vector<int64_t> labels = {0, 1, 2, -1, 0};
  const std::vector<std::string> from = {"cat", "dog", "cow"};
  const std::vector<std::string> to = {"dog", "bird", "cat"};
  EXPECT_THAT(labels_by_name(labels, from, to), ElementsAre(2, 0, -1, -1, 2));
  EXPECT_THAT(test::message_of([&] { labels_by_name(labels, std::span(from).first(2), to); }),
              HasSubstr("expected labels below 2, got 2 for item 2"));
}

}  // namespace
}  // namespace orthant::classify
