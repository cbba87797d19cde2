#include "orthant/texts/topics.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "orthant/sources/open.h"
#include "orthant/text/words.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

TEST(Topics, AreTheSameEveryTimeAndOthersForAnotherSeedOrSplit) {
  const auto text = [](const std::string& split, uint64_t seed) {
    return make_topics({.size = 5, .split = split, .seed = seed})->texts(3);
  };
  EXPECT_EQ(text("train", 1), text("train", 1));
  EXPECT_NE(text("train", 1), text("train", 2));
  EXPECT_NE(text("train", 1), text("test", 1));
  EXPECT_EQ(make_topics({.size = 9})->texts(3), make_topics({.size = 5})->texts(3)) << "whatever the size";
}

// Words that say which topic they belong to, learned from one half, tell the topics of the other.
TEST(Topics, ArePlantedInTheWords) {
  const auto data = make_topics({.size = 1200});
  std::map<std::string, std::vector<int>> counts;
  for (int64_t i = 0; i < 600; ++i) {
    for (const std::string& word : words_of(data->texts(i).front())) {
      auto& row = counts[word];
      row.resize(12);
      ++row[static_cast<size_t>(data->label(i))];
    }
  }
  int right = 0;
  for (int64_t i = 600; i < 1200; ++i) {
    std::vector<double> votes(12);
    for (const std::string& word : words_of(data->texts(i).front())) {
      const auto found = counts.find(word);
      if (found == counts.end()) continue;
      double sum = 0;
      for (const int count : found->second) sum += count;
      for (size_t c = 0; c < votes.size(); ++c) votes[c] += found->second[c] / sum;
    }
    right += std::ranges::max_element(votes) - votes.begin() == data->label(i);
  }
  EXPECT_GT(right, 570);
}

TEST(Topics, AsideIsAnotherTopic) {
  const auto data = open_dataset("topics", {.size = 300});
  ASSERT_EQ(data->info().factors.size(), 2);
  std::set<int32_t> seen;
  for (int64_t i = 0; i < data->size(); ++i) {
    std::vector<int32_t> factors(2);
    data->factors(i, factors);
    EXPECT_EQ(factors[0], data->label(i));
    EXPECT_NE(factors[1], data->label(i));
    seen.insert(factors[1]);
  }
  EXPECT_EQ(seen.size(), data->info().class_names.size());
  EXPECT_EQ(open_dataset("topics", {.split = "all"})->size(), 10'000);
}

TEST(Topics, RefusesWhatThereIsNot) {
  EXPECT_THAT(test::message_of([] { make_topics({.size = -1}); }), HasSubstr("expected a size of 0 or more, got -1"));
  EXPECT_THAT(test::message_of([] { make_topics({.split = "all"}); }), HasSubstr("expected the split train or test"));
  EXPECT_THAT(test::message_of([] { make_topics({.size = 2})->texts(2); }), HasSubstr("2"));
  EXPECT_THAT(test::message_of([] { open_dataset("topics:x"); }), HasSubstr("without a path"));
}

}  // namespace
}  // namespace orthant
