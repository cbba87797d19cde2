#include "orthant/text/words.h"

#include <gmock/gmock.h>

#include "orthant/core/rng.h"
#include "orthant/text/utf8.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Words, AreRunsOfLettersMarksAndDigits) {
  EXPECT_THAT(words_of("A red star, 2 dots!"), ElementsAre("a", "red", "star", "2", "dots"));
  EXPECT_THAT(words_of("e-mail x86_64"), ElementsAre("e", "mail", "x86", "64"));
  EXPECT_THAT(words_of(" ... !?"), IsEmpty());
}

TEST(Words, KeepApostrophesInsideOnly) {
  EXPECT_THAT(words_of("don't 'quoted' dogs'"), ElementsAre("don't", "quoted", "dogs"));
  EXPECT_THAT(words_of("O\u2019Neill"), ElementsAre("o'neill"));
  EXPECT_THAT(words_of("a''b"), ElementsAre("a", "b"));
}

TEST(Words, OfOneMeaningAreOneWord) {
  EXPECT_EQ(words_of("STRASSE"), words_of("Stra\u00dfe"));
  EXPECT_EQ(words_of("\ufb01ne"), words_of("FINE"));
  EXPECT_EQ(words_of("e\u0301"), words_of("\u00c9"));
  EXPECT_EQ(words_of("\uff21\uff22"), words_of("ab"));
  EXPECT_NE(words_of("Star", {.normalise = "none"}), words_of("star", {.normalise = "none"}));
}

TEST(Words, AreSingleIdeographs) {
  EXPECT_THAT(words_of("\u6771\u4eac tower"), ElementsAre("\u6771", "\u4eac", "tower"));
  EXPECT_THAT(words_of("a\u6771b"), ElementsAre("a", "\u6771", "b"));
}

TEST(Words, AreCappedInNumberAndLength) {
  EXPECT_THAT(words_of("one two three", {.max_words = 2}), ElementsAre("one", "two"));
  EXPECT_EQ(words_of(std::string(1000, 'x')).front().size(), kLongestWord);
}

TEST(Words, OfWordsAreThemselves) {
  Rng rng(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::string text;
    for (int k = 0; k < 30; ++k) {
      const uint64_t point = 32 + rng.below(rng.bernoulli(0.5) ? 96 : 0x2fff);
      if (point < 0x80) {
        text += static_cast<char>(point);
      } else if (point < 0x800) {
        text += {static_cast<char>(0xc0 | (point >> 6)), static_cast<char>(0x80 | (point & 63))};
      } else {
        text += {static_cast<char>(0xe0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 63)),
                 static_cast<char>(0x80 | (point & 63))};
      }
    }
    for (const std::string& word : words_of(text)) {
      EXPECT_EQ(first_invalid_utf8(word), std::string_view::npos);
      EXPECT_THAT(words_of(word), ElementsAre(word)) << "of " << text;
    }
  }
}

TEST(Words, RefuseOtherBytes) {
  EXPECT_THAT(test::message_of([] { words_of("abc\xff"); }), HasSubstr("[text] expected UTF-8"));
  EXPECT_THAT(test::message_of([] { words_of("abc\xff", {.normalise = "none"}); }), HasSubstr("[text] expected UTF-8"));
}

}  // namespace
}  // namespace orthant
