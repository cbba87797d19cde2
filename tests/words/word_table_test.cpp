#include "orthant/words/word_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthant::words {
namespace {

using testing::ElementsAre;

TEST(WordTable, ListsTheItemsOfEachWordOnce) {
  const std::vector<std::vector<std::string>> texts = {
      {"A red circle.", "A small RED circle"}, {"A blue circle"}, {}, {"a red, red square"}};
  const WordTable table = word_table(texts, {.fewest = 2});
  EXPECT_EQ(table.items, 4);
  EXPECT_THAT(table.words, ElementsAre("a", "circle", "red"));
  EXPECT_THAT(table.places, ElementsAre(ElementsAre(0, 1, 3), ElementsAre(0, 1), ElementsAre(0, 3)));
}

TEST(WordTable, LeavesOutWordsOfFewItemsAndTakesLongTextsWhole) {
  std::string longest;
  for (int i = 0; i < 1000; ++i) longest += "filler" + std::to_string(i) + " ";
  const std::vector<std::vector<std::string>> texts = {{longest + "last"}, {"last"}, {"last word"}, {"word"}};
  EXPECT_THAT(word_table(texts).words, ElementsAre("last"));
  EXPECT_EQ(word_table({}).items, 0);
}

TEST(WordTable, DoesNotDependOnThreads) {
  std::vector<std::vector<std::string>> texts;
  for (int i = 0; i < 2000; ++i) texts.push_back({"w" + std::to_string(i % 37) + " v" + std::to_string(i % 101)});
  const WordTable one = word_table(texts, {.threads = 1});
  const WordTable four = word_table(texts, {.threads = 4});
  EXPECT_EQ(one.words, four.words);
  EXPECT_EQ(one.places, four.places);
  EXPECT_EQ(one.words.size(), 138);
}

}  // namespace
}  // namespace orthant::words
