#include "orthant/text/text_view.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "orthant/text/words.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// Different words, so that a view can be told from another.
std::string numbered(int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += "w" + std::to_string(i) + (i % 7 == 6 ? ". " : " ");
  return text;
}

Words view(const std::string& text, const TextViewOptions& options, uint64_t sample, uint16_t number) {
  return words_of(text_view(text, options, {.seed = 3, .epoch = 1, .sample = sample, .view = number}));
}

TEST(TextView, TwoHalvesAreAllWordsAndShareNone) {
  for (const int count : {2, 3, 10, 41}) {
    for (uint64_t sample = 0; sample < 20; ++sample) {
      const std::string text = numbered(count);
      Words both = view(text, {.kind = "halves"}, sample, 0);
      const Words second = view(text, {.kind = "halves"}, sample, 1);
      EXPECT_EQ(std::ssize(both), count / 2);
      both.insert(both.end(), second.begin(), second.end());
      Words all = words_of(text);
      EXPECT_TRUE(std::ranges::is_permutation(both, all)) << count;
    }
  }
}

TEST(TextView, KeepsTheOrderOfWords) {
  const std::string text = numbered(30);
  const Words all = words_of(text);
  for (const char* kind : {"halves", "dropout", "sentences"}) {
    const Words some = view(text, {.kind = kind, .dropout = 0.3}, 5, 1);
    auto place = all.begin();
    for (const std::string& word : some) {
      place = std::find(place, all.end(), word);
      ASSERT_NE(place, all.end()) << kind;
    }
  }
}

TEST(TextView, ATwoViewsPairIsDealtAnewForEveryPairItemAndEpoch) {
  const std::string text = numbered(40);
  const Words first = view(text, {.kind = "halves"}, 1, 0);
  EXPECT_EQ(first, view(text, {.kind = "halves"}, 1, 0));
  EXPECT_NE(first, view(text, {.kind = "halves"}, 1, 2));
  EXPECT_NE(first, view(text, {.kind = "halves"}, 2, 0));
}

TEST(TextView, DropsAboutTheShareThatWasAskedForAndNeverAll) {
  const std::string text = numbered(50);
  int64_t kept = 0;
  for (uint64_t sample = 0; sample < 200; ++sample) {
    kept += std::ssize(view(text, {.kind = "dropout", .dropout = 0.4}, sample, 0));
    EXPECT_FALSE(view("alone", {.kind = "dropout", .dropout = 0.99}, sample, 0).empty());
  }
  EXPECT_NEAR(static_cast<double>(kept) / (200 * 50), 0.6, 0.03);
}

TEST(TextView, SentencesAreNeighbours) {
  const std::string text = "One two three four. Five six seven eight! Nine ten eleven twelve?";
  const auto sentences = sentences_of(text);
  ASSERT_THAT(sentences, ElementsAre("One two three four.", "Five six seven eight!", "Nine ten eleven twelve?"));
  for (uint64_t sample = 0; sample < 20; ++sample) {
    const Words a = view(text, {.kind = "sentences"}, sample, 0);
    const Words b = view(text, {.kind = "sentences"}, sample, 1);
    const auto place = [&](const Words& words) {
      return std::ranges::find_if(sentences, [&](std::string_view each) { return words_of(each) == words; }) -
             sentences.begin();
    };
    EXPECT_EQ(place(a) + 1, place(b));
  }
}

TEST(TextView, ShortSentencesGoWithTheirNeighbour) {
  EXPECT_THAT(sentences_of("No. Not at all, said the man. And then? Gone."),
              ElementsAre("No. Not at all, said the man. And then? Gone."));
  EXPECT_THAT(sentences_of("e.g. version 1.5 of it is good. That is all there is"),
              ElementsAre("e.g. version 1.5 of it is good.", "That is all there is"));
  EXPECT_THAT(sentences_of("\xe4\xbb\x8a\xe6\x97\xa5\xe3\x81\xaf\xe9\x9b\xa8\xe3\x80\x82\xe6\x98\x8e\xe6\x97\xa5\xe3"
                           "\x82\x82\xe9\x9b\xa8\xe3\x80\x82")
                  .size(),
              2);
  EXPECT_TRUE(sentences_of(" \t ").empty());
}

TEST(TextView, OfOneSentenceOrOneWordStillGivesTwoViews) {
  EXPECT_EQ(view("a single sentence without end", {.kind = "sentences"}, 1, 0).size(), 2);
  for (const char* kind : {"halves", "sentences", "dropout"}) {
    EXPECT_THAT(view("word", {.kind = kind}, 1, 0), ElementsAre("word"));
    EXPECT_THAT(view("word", {.kind = kind}, 1, 1), ElementsAre("word"));
    EXPECT_TRUE(view("?!", {.kind = kind}, 1, 1).empty()) << "no words, and no failure";
  }
}

TEST(TextView, NoneIsTheTextItself) {
  EXPECT_EQ(text_view(" As it IS. ", {.kind = "none", .dropout = 0.5}, {}), " As it IS. ");
}

TEST(TextView, RefusesKindsThatThereAreNot) {
  EXPECT_THAT(test::message_of([] { text_view("a", {.kind = "thirds"}, {}); }),
              HasSubstr("expected views of the kind none, halves, dropout or sentences, got thirds"));
}

}  // namespace
}  // namespace orthant
