#include "orthant/texts/captions.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "orthant/sources/open.h"
#include "orthant/text/words.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

// What each word about a factor says: the factor and the classes that it is true of. Words that are not listed say
// nothing about an item.
std::multimap<std::string, std::pair<std::string, std::set<int32_t>>> meanings(const DatasetInfo& sprites) {
  std::multimap<std::string, std::pair<std::string, std::set<int32_t>>> all;
  for (const FactorInfo& factor : sprites.factors) {
    if (factor.name != "shape" && factor.name != "colour") continue;
    for (size_t k = 0; k < factor.names.size(); ++k) {
      all.insert({factor.names[k], {factor.name, {static_cast<int32_t>(k)}}});
    }
  }
  const std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> lists = {
      {"size", {{"tiny"}, {"small", "little"}, {"large", "big"}, {"huge", "enormous"}}},
      {"texture",
       {{"plain", "unpatterned"}, {"shaded"}, {"striped"}, {"checked", "chequered"}, {"dotted", "spotted"}}}};
  for (const auto& [factor, classes] : lists) {
    for (size_t k = 0; k < classes.size(); ++k) {
      for (const auto& word : classes[k]) all.insert({word, {factor, {static_cast<int32_t>(k)}}});
    }
  }
  for (const char* word : {"left"}) all.insert({word, {"position_x", {0, 1}}});
  for (const char* word : {"right"}) all.insert({word, {"position_x", {3, 4}}});
  for (const char* word : {"top", "upper"}) all.insert({word, {"position_y", {0, 1}}});
  for (const char* word : {"bottom", "lower"}) all.insert({word, {"position_y", {3, 4}}});
  for (const char* word : {"middle", "centre"}) {
    all.insert({word, {"position_x", {2}}});
    all.insert({word, {"position_y", {2}}});
  }
  return all;
}

TEST(Captions, NeverSayAnythingFalse) {
  const auto sprites = open_dataset("sprites", {.size = 3'000, .seed = 4});
  const auto captions = open_dataset("captions", {.size = 3'000, .seed = 4});
  const auto said = meanings(sprites->info());
  std::map<std::string, size_t> place;
  for (size_t k = 0; k < sprites->info().factors.size(); ++k) place[sprites->info().factors[k].name] = k;
  std::set<std::string> unknown;
  std::map<std::string, int64_t> told;
  std::vector<int32_t> classes(place.size());
  for (int64_t i = 0; i < captions->size(); ++i) {
    sprites->factors(i, classes);
    for (const std::string& text : captions->texts(i)) {
      for (const std::string& word : words_of(text)) {
        const auto [begin, end] = said.equal_range(word);
        if (begin == end) unknown.insert(word);
        for (auto each = begin; each != end; ++each) {
          const auto& [factor, allowed] = each->second;
          ++told[factor];
          EXPECT_TRUE(allowed.contains(classes[place.at(factor)])) << text << ": " << word << " of item " << i;
        }
      }
    }
  }
  EXPECT_THAT(unknown, ::testing::IsSubsetOf({"a",         "an",  "and",   "at",   "can", "figure",  "here",
                                              "in",        "is",  "near",  "of",   "on",  "picture", "see",
                                              "something", "the", "there", "this", "to",  "you"}));
  for (const char* factor : {"shape", "colour", "size", "texture", "position_x", "position_y"}) {
    EXPECT_GT(told[factor], 2'000) << factor;
  }
}

TEST(Captions, SaySeveralThingsOfEachItem) {
  const auto captions = open_dataset("captions", {.split = "test", .size = 2'000});
  std::map<size_t, int> counts;
  for (int64_t i = 0; i < captions->size(); ++i) {
    const auto texts = captions->texts(i);
    EXPECT_EQ(std::set(texts.begin(), texts.end()).size(), texts.size());
    ++counts[texts.size()];
  }
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [count, items] : counts) {
    EXPECT_TRUE(count >= 3 && count <= 5);
    EXPECT_GT(items, 500);
  }
}

TEST(Captions, UseTheRightArticle) {
  const auto captions = open_dataset("captions", {.size = 3'000});
  bool orange = false;
  for (int64_t i = 0; i < captions->size(); ++i) {
    for (const std::string& text : captions->texts(i)) {
      EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("(^| )a [aeiou]"))) << text;
      EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("(^| )an [^aeiou]"))) << text;
      orange = orange || text.find("an orange") != std::string::npos;
    }
  }
  EXPECT_TRUE(orange);
}

TEST(Captions, GoWithTheSpritesItemByItem) {
  for (const std::string split : {"train", "test", "all"}) {
    const auto sprites = open_dataset("sprites", {.split = split, .seed = 7});
    const auto captions = open_dataset("captions", {.split = split, .seed = 7});
    ASSERT_EQ(sprites->size(), captions->size());
    EXPECT_EQ(captions->info().class_names, sprites->info().class_names);
    EXPECT_TRUE(captions->info().text);
    EXPECT_EQ(captions->info().height, 0);
    std::vector<int32_t> a(9);
    std::vector<int32_t> b(9);
    for (int64_t i = 0; i < sprites->size(); i += 997) {
      EXPECT_EQ(captions->label(i), sprites->label(i));
      EXPECT_EQ(captions->id(i), sprites->id(i));
      sprites->factors(i, a);
      captions->factors(i, b);
      EXPECT_EQ(a, b);
    }
  }
}

TEST(Captions, DependOnSeedSplitAndItemAlone) {
  const auto few = open_dataset("captions", {.size = 10, .seed = 2});
  const auto many = open_dataset("captions", {.size = 100, .seed = 2});
  const auto others = open_dataset("captions", {.size = 10, .seed = 3});
  int64_t differ = 0;
  for (int64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(few->texts(i), many->texts(i));
    differ += few->texts(i) != others->texts(i) ? 1 : 0;
  }
  EXPECT_GT(differ, 5);
  EXPECT_EQ(open_dataset("captions", {.split = "all", .seed = 2})->texts(3), many->texts(3));
}

TEST(Captions, WhatIsOnTopIsPaintedOnTop) {
  const auto sprites = open_dataset("sprites", {.size = 4'000});
  std::vector<int32_t> classes(9);
  for (const size_t axis : {size_t{4}, size_t{5}}) {
    ASSERT_EQ(sprites->info().factors[axis].name, axis == 4 ? "position_x" : "position_y");
    double sums[2] = {};
    double weights[2] = {};
    for (int64_t i = 0; i < sprites->size(); ++i) {
      sprites->factors(i, classes);
      if (classes[axis] != 0 && classes[axis] != 4) continue;
      const Image image = sprites->image(i);
      const int side = classes[axis] == 4 ? 1 : 0;
      // Colourful pixels are the figure's.
      for (int64_t p = 0; p < image.height * image.width; ++p) {
        const uint8_t* pixel = image.pixels.data() + 3 * p;
        if (std::max({pixel[0], pixel[1], pixel[2]}) - std::min({pixel[0], pixel[1], pixel[2]}) < 90) continue;
        sums[side] += static_cast<double>(axis == 4 ? p % image.width : p / image.width);
        weights[side] += 1;
      }
    }
    EXPECT_GT(sums[1] / weights[1] - sums[0] / weights[0], 3) << "the last class is right and at the bottom";
  }
}

TEST(Captions, RefuseItemsWithoutTheirFactors) {
  const auto others = std::make_shared<test::FakeDataset>(std::vector<int64_t>{0, 1}, 2);
  EXPECT_THAT(test::message_of([&] { make_captions(others, 0); }),
              HasSubstr("[captions] expected the factors of sprites, got none called shape"));
}

}  // namespace
}  // namespace orthant
