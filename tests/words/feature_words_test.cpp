#include "orthant/words/feature_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::words {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> spelled(const std::vector<WordEffect>& list) {
  std::vector<std::string> words;
  for (const WordEffect& one : list) words.push_back(one.word);
  return words;
}

// Words that stand at random items, each at a share of them.
WordTable random_table(int64_t items, const std::vector<double>& shares, Rng& rng) {
  WordTable table{.items = items};
  for (size_t w = 0; w < shares.size(); ++w) {
    std::vector<int32_t> places;
    for (int32_t i = 0; i < items; ++i) {
      if (rng.bernoulli(shares[w])) places.push_back(i);
    }
    if (places.size() < 3) continue;
    table.words.push_back("w" + std::to_string(w));
    table.places.push_back(std::move(places));
  }
  return table;
}

Matrix sparse_features(int64_t items, int64_t cols, double share, Rng& rng) {
  Matrix matrix(items, cols);
  for (float& x : matrix.mutable_values()) x = rng.bernoulli(share) ? static_cast<float>(rng.uniform(0.1, 2)) : 0;
  return matrix;
}

// The definition, item by item.
double naive_evidence(const Matrix& features, int64_t f, const std::vector<int32_t>& places) {
  const int64_t count = features.rows();
  double mean = 0;
  double high = features(0, f);
  double low = features(0, f);
  for (int64_t i = 0; i < count; ++i) {
    mean += features(i, f) / static_cast<double>(count);
    high = std::max<double>(high, features(i, f));
    low = std::min<double>(low, features(i, f));
  }
  double variance = 0;
  double with = 0;
  for (int64_t i = 0; i < count; ++i) variance += std::pow(features(i, f) - mean, 2) / static_cast<double>(count);
  for (const int32_t i : places) with += features(i, f) / static_cast<double>(places.size());
  const auto n = static_cast<double>(places.size());
  const double rest = static_cast<double>(count) - n;
  const double shift = std::abs(with - mean);
  const auto bound = [&](double items, double t, double b) {
    const double u = b * t / variance;
    return items * variance / b / b * ((1 + u) * std::log(1 + u) - u);
  };
  const bool up = with > mean;
  return std::max(bound(n, shift, up ? high - mean : mean - low),
                  bound(rest, shift * n / rest, up ? mean - low : high - mean));
}

TEST(FeatureWords, ByHand) {
  // 100 items; the feature is 1 at the first ten, where the word stands, and 0 elsewhere.
  Matrix features(100, 1);
  WordTable table{.items = 100, .words = {"all", "red"}, .places = {{}, {}}};
  for (int32_t i = 0; i < 100; ++i) {
    table.places[0].push_back(i);
    if (i < 10) {
      features(i, 0) = 1;
      table.places[1].push_back(i);
    }
  }
  const auto words = feature_words(features, table);
  ASSERT_THAT(spelled(words[0].raising), ElementsAre("red"));
  EXPECT_THAT(words[0].lowering, IsEmpty());
  const WordEffect& red = words[0].raising[0];
  EXPECT_EQ(red.items, 10);
  EXPECT_DOUBLE_EQ(red.with, 1);
  EXPECT_NEAR(red.without, 0, 1e-12);
  // s^2 = 0.09, b = t = 0.9: u = 9 and e = 10 (10 ln 10 - 9) / 9; the true chance is 1 / (100 choose 10) = exp(-30.5).
  EXPECT_NEAR(red.evidence, 10 * (10 * std::log(10) - 9) / 9, 1e-9);
}

TEST(FeatureWords, FindsThePlantedWordsOfBothSigns) {
  Rng rng(3);
  constexpr int64_t kItems = 3000;
  std::vector<double> shares(400, 0.01);
  shares.insert(shares.end(), {0.95, 0.5, 0.05, 0.1});  // "w400" is nearly everywhere
  const WordTable table = random_table(kItems, shares, rng);
  Matrix features(kItems, 2);
  for (float& x : features.mutable_values()) x = static_cast<float>(rng.normal());
  const auto place = [&](const std::string& word) {
    return std::ranges::find(table.words, word) - table.words.begin();
  };
  for (const int32_t i : table.places[static_cast<size_t>(place("w402"))]) features(i, 0) += 1.5F;
  for (const int32_t i : table.places[static_cast<size_t>(place("w403"))]) features(i, 0) -= 1.5F;
  const auto words = feature_words(features, table);
  EXPECT_THAT(spelled(words[0].raising), ElementsAre("w402"));
  EXPECT_THAT(spelled(words[0].lowering), ElementsAre("w403"));
  EXPECT_THAT(words[1].raising, IsEmpty());
  EXPECT_THAT(words[1].lowering, IsEmpty());
  EXPECT_NEAR(words[0].raising[0].with - words[0].raising[0].without, 1.5, 0.4);
}

// Features that fire rarely and words of few items meet by chance; standard errors would call that certain.
TEST(FeatureWords, RareWordsDoNotNameRareFeaturesByChance) {
  Rng rng(5);
  const WordTable table = random_table(4000, std::vector<double>(3000, 0.0015), rng);
  const auto words = feature_words(sparse_features(4000, 300, 0.01, rng), table);
  int64_t named = 0;
  for (const FeatureWords& one : words) named += one.raising.empty() ? 0 : 1;
  EXPECT_LE(named, 3) << "of 300 features, at a chance of one in a hundred";
}

TEST(FeatureWords, AWordOfManyItemsComesBeforeOneOfThree) {
  Rng rng(7);
  constexpr int64_t kItems = 5000;
  Matrix features(kItems, 1);
  WordTable table{.items = kItems, .words = {"dog", "zebra"}, .places = {{}, {10, 20, 30}}};
  for (int32_t i = 0; i < kItems; ++i) {
    if (i % 50 == 0) table.places[0].push_back(i);
    if (i % 50 == 0 && rng.bernoulli(0.6)) features(i, 0) = 1;
    if (i == 10 || i == 20 || i == 30) features(i, 0) = 1;
  }
  const auto words = feature_words(features, table);
  ASSERT_THAT(spelled(words[0].raising), ElementsAre("dog", "zebra"));
  EXPECT_GT(words[0].raising[1].with, words[0].raising[0].with);
}

TEST(FeatureWords, MeetsTheDefinitionAndIsTheSameForSparseAndThreads) {
  Rng rng(11);
  std::vector<double> shares;
  for (int w = 0; w < 60; ++w) shares.push_back(0.02 + 0.015 * w);
  const WordTable table = random_table(500, shares, rng);
  Matrix features = sparse_features(500, 20, 0.3, rng);
  for (size_t w = 0; w < table.words.size(); w += 6) {
    for (const int32_t i : table.places[w]) features(i, static_cast<int64_t>(w % 20)) += w % 12 == 0 ? 1.0F : -1.0F;
  }
  const FeatureWordsOptions all{.most = 100, .chance = 1, .threads = 1};
  const auto words = feature_words(features, table, all);
  const auto again = feature_words(SparseMatrix::from_dense(features), table, {.most = 100, .chance = 1, .threads = 3});
  const double least = std::log(static_cast<double>(table.words.size()));
  for (int64_t f = 0; f < 20; ++f) {
    const FeatureWords& one = words[static_cast<size_t>(f)];
    size_t expected = 0;
    for (const auto& places : table.places) expected += naive_evidence(features, f, places) >= least ? 1U : 0U;
    EXPECT_EQ(one.raising.size() + one.lowering.size(), expected);
    EXPECT_EQ(spelled(one.raising), spelled(again[static_cast<size_t>(f)].raising));
    for (const auto* list : {&one.raising, &one.lowering}) {
      for (size_t k = 0; k < list->size(); ++k) {
        const WordEffect& effect = (*list)[k];
        const auto at = static_cast<size_t>(std::ranges::find(table.words, effect.word) - table.words.begin());
        EXPECT_NEAR(effect.evidence, naive_evidence(features, f, table.places[at]), 1e-9 * effect.evidence);
        EXPECT_EQ(effect.with > effect.without, list == &one.raising);
        EXPECT_LE(effect.evidence, k > 0 ? (*list)[k - 1].evidence : effect.evidence);
      }
    }
  }
}

TEST(FeatureWords, NothingIsSaidOfConstantFeaturesOrWithoutWords) {
  Rng rng(1);
  const WordTable table = random_table(200, {0.2, 0.5}, rng);
  Matrix constant(200, 2);
  for (int64_t i = 0; i < 200; ++i) constant(i, 0) = 0.1F;
  for (const FeatureWords& one : feature_words(constant, table))
    EXPECT_TRUE(one.raising.empty() && one.lowering.empty());
  EXPECT_EQ(feature_words(constant, WordTable{.items = 200}).size(), 2);
}

TEST(FeatureWords, KeepsTheFirst) {
  Matrix features(300, 1);
  WordTable table{.items = 300};
  for (int32_t w = 0; w < 30; ++w) {
    table.words.push_back("w" + std::to_string(100 + w));
    table.places.emplace_back();
    for (int32_t i = 0; i < 60 - w; ++i) table.places.back().push_back(i);
  }
  for (int64_t i = 0; i < 60; ++i) features(i, 0) = 1;
  EXPECT_THAT(spelled(feature_words(features, table, {.most = 3})[0].raising), ElementsAre("w100", "w101", "w102"));
}

TEST(FeatureWords, RejectsFeaturesOfOtherItems) {
  EXPECT_THAT(test::message_of([] { feature_words(Matrix(3, 1), WordTable{.items = 4}); }),
              HasSubstr("expected features of the 4 items with texts, got 3 rows"));
  EXPECT_THAT(test::message_of([] { feature_words(Matrix(3, 1), WordTable{.items = 3}, {.chance = 0}); }),
              HasSubstr("expected a chance above 0"));
}

}  // namespace
}  // namespace orthant::words
