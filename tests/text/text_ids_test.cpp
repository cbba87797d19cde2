#include "orthant/text/text_ids.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/text/words.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(TextIds, HashIsThePublishedFnv1a) {
  EXPECT_EQ(fnv1a_64(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a_64("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a_64("foobar"), 0x85944171f73967e8U);
}

TEST(TextIds, AreThoseOfAnIndependentProgram) {
  std::ifstream in(std::string(ORTHANT_GOLDEN_DIR) + "/text/ids.json");
  const auto cases = nlohmann::json::parse(in);
  ASSERT_EQ(cases.size(), 65U);
  for (const auto& one : cases) {
    const auto& o = one["options"];
    const TextOptions options{.normalise = o["normalise"],
                              .char_min = o["char_min"],
                              .char_max = o["char_max"],
                              .word_ngrams = o["word_ngrams"],
                              .buckets = o["buckets"],
                              .max_words = o["max_words"]};
    const std::string text = one["text"];
    EXPECT_EQ(words_of(text, options), one["words"].get<std::vector<std::string>>()) << text;
    EXPECT_EQ(text_ids(text, options), one["ids"].get<std::vector<int32_t>>()) << text;
  }
}

TEST(TextIds, BagOfAWordIsTheWordAndItsFragments) {
  const TextOptions options{.char_min = 3, .char_max = 4, .buckets = 1 << 20};
  const auto id = [&](const char* text) { return static_cast<int32_t>(fnv1a_64(text) % (1 << 20)); };
  EXPECT_EQ(text_ids("Her", options),
            (std::vector<int32_t>{id("<her>"), id("<he"), id("<her"), id("her"), id("her>"), id("er>")}));
  EXPECT_EQ(text_ids("I", options), (std::vector<int32_t>{id("<i>")})) << "the word itself counts once";
}

TEST(TextIds, WordNgramsFollowTheWords) {
  const TextOptions options{.char_max = 0, .word_ngrams = 3};
  const std::vector<int32_t> expected = {word_id("a", options),        word_id("red", options),
                                         word_id("star", options),     word_id("a red", options),
                                         word_id("red star", options), word_id("a red star", options)};
  EXPECT_EQ(text_ids("A red star", options), expected);
}

TEST(TextIds, SequencesHaveOneIdAWord) {
  EXPECT_EQ(word_ids("A star, a STAR"),
            (std::vector<int32_t>{word_id("a"), word_id("star"), word_id("a"), word_id("star")}));
  EXPECT_THAT(word_ids("..."), IsEmpty());
  EXPECT_THAT(text_ids("..."), IsEmpty());
}

TEST(TextOptions, RefuseWhatMakesNoIds) {
  check_text_options({});
  const auto message = [](const TextOptions& options) {
    return test::message_of([&] { check_text_options(options); });
  };
  EXPECT_THAT(message({.normalise = "lower"}), HasSubstr("nfkc-casefold"));
  EXPECT_THAT(message({.hash = "md5"}), HasSubstr("fnv1a-64"));
  EXPECT_THAT(message({.buckets = 0}), HasSubstr("buckets"));
  EXPECT_THAT(message({.char_min = 4, .char_max = 3}),
              HasSubstr("[text.char_max] expected 4 (text.char_min) or more, or 0 for none, got 3"));
  EXPECT_THAT(message({.char_min = 4, .char_max = 0}), HasSubstr("nothing was thrown"));
}

TEST(TextOptions, TheVersionOfUnicodeIsKnown) { EXPECT_THAT(unicode_version(), Not(IsEmpty())); }

}  // namespace
}  // namespace orthant
