#include "orthant/disentangle/following.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "orthant/disentangle/chance_purity.h"
#include "orthant/search/strongest.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::factor_of;
using test::random_factor;
using testing::ElementsAre;
using testing::HasSubstr;

Factor ordered(Factor factor, float period = kLinePeriod) {
  factor.period = period;
  return factor;
}

// Features >= 0, four fifths of the entries zero.
Matrix random_codes(int64_t items, int64_t cols, uint64_t seed) {
  Rng rng(seed);
  Matrix codes(items, cols);
  for (float& x : codes.mutable_values()) x = rng.bernoulli(0.8) ? 0 : static_cast<float>(rng.uniform());
  return codes;
}

TEST(Following, FindsTheFactorsDoneByHand) {
  // Shape changes with every item, colour with every fourth. Feature 0 is on for shape 1, feature 1 for shape 1 in
  // colour 2, feature 2 for one item, feature 3 never.
  std::vector<int32_t> shapes;
  std::vector<int32_t> colours;
  Matrix codes(400, 4);
  for (int32_t i = 0; i < 400; ++i) {
    shapes.push_back(i % 4);
    colours.push_back(i / 4 % 5);
    codes(i, 0) = i % 4 == 1 ? 1.0F : 0.0F;
    codes(i, 1) = i % 4 == 1 && i / 4 % 5 == 2 ? 1.0F : 0.0F;
  }
  codes(7, 2) = 1;
  const std::vector<Factor> factors = {factor_of("shape", 4, shapes), factor_of("one", 1, std::vector<int32_t>(400)),
                                       factor_of("colour", 5, colours)};
  const Following found = follow_values(codes, factors, {.share = 0.025});
  EXPECT_THAT(found.factors, ElementsAre("shape", "colour"));
  EXPECT_THAT(found.left_out, ElementsAre("one"));
  EXPECT_EQ(found.features, 2);
  EXPECT_DOUBLE_EQ(found.scores(0, 0), 1);
  EXPECT_LT(found.scores(0, 1), kFollows);
  EXPECT_DOUBLE_EQ(found.scores(1, 0), 1);
  EXPECT_DOUBLE_EQ(found.scores(1, 1), 1);
  EXPECT_TRUE(std::isnan(found.scores(2, 0)));
  EXPECT_TRUE(std::isnan(found.scores(3, 1)));
  EXPECT_THAT(found.followers, ElementsAre(2, 1));
  EXPECT_EQ(found.following, 2);
  EXPECT_EQ(found.several, 1);
  EXPECT_DOUBLE_EQ(found.mean_best, 1);
}

TEST(Following, IsThePurityAboveChanceOfAPlainCount) {
  const Matrix codes = random_codes(300, 9, 3);
  const std::vector<Factor> factors = {random_factor("a", 300, 3, 1), random_factor("b", 300, 7, 2)};
  const Following found = follow_values(codes, factors, {.share = 0.05});
  const auto strongest = search::strongest_items(codes, {}, {.most = 15});
  for (size_t f = 0; f < 2; ++f) {
    std::vector<int64_t> members(factors[f].values.size());
    for (const int32_t c : factors[f].classes) ++members[static_cast<size_t>(c)];
    const auto chance = chance_purity(members, 15);
    for (int64_t j = 0; j < 9; ++j) {
      std::map<int32_t, double> counts;
      double largest = 0;
      for (const int32_t i : strongest.of(j)) {
        largest = std::max(largest, ++counts[factors[f].classes[static_cast<size_t>(i)]]);
      }
      const size_t items = strongest.of(j).size();
      const double purity = largest / static_cast<double>(items);
      EXPECT_NEAR(found.scores(j, static_cast<int64_t>(f)), (purity - chance[items]) / (1 - chance[items]), 1e-12);
    }
  }
}

TEST(Following, OfFeaturesThatKnowNothingIsTheChanceOfTheBest) {
  const Matrix codes = random_codes(2000, 300, 5);
  std::vector<Factor> factors;
  for (uint64_t k = 0; k < 5; ++k)
    factors.push_back(ordered(random_factor("f" + std::to_string(k), 2000, 6, k + 1), 6));
  for (auto* const follow : {&follow_values, &follow_regions}) {
    const Following found = follow(codes, factors, {});
    EXPECT_EQ(found.features, 300);
    EXPECT_GT(found.mean_chance, 0.02);
    EXPECT_NEAR(found.mean_best, found.mean_chance, 0.01);
  }
}

// A feature for every choice of three of six items: the mean over them is the expectation of a random choice.
TEST(Following, RegionsOfARandomChoiceScoreZeroInExpectation) {
  Matrix codes(6, 20);
  int64_t j = 0;
  for (int64_t a = 0; a < 6; ++a) {
    for (int64_t b = a + 1; b < 6; ++b) {
      for (int64_t c = b + 1; c < 6; ++c, ++j) codes(a, j) = codes(b, j) = codes(c, j) = 1;
    }
  }
  Factor line = ordered(factor_of("line", 6, {0, 1, 2, 3, 4, 5}));
  line.values = {0, 1, 4, 9, 2, -5};
  const std::vector<Factor> factors = {line, ordered(factor_of("circle", 6, {0, 1, 1, 3, 4, 5}), 7.5F)};
  const Following found = follow_regions(codes, factors, {.share = 0.5});
  ASSERT_EQ(found.features, 20);
  for (int64_t f = 0; f < 2; ++f) {
    double sum = 0;
    for (int64_t k = 0; k < 20; ++k) sum += found.scores(k, f);
    EXPECT_NEAR(sum / 20, 0, 1e-12);
  }
}

TEST(Following, HalfOfALineScoresThreeQuartersAndHalfOfACircleTwoFifths) {
  Matrix codes(4000, 2);
  std::vector<int32_t> places;
  for (int32_t i = 0; i < 4000; ++i) {
    places.push_back(i);
    codes(i, i < 2000 ? 0 : 1) = 1;
  }
  const std::vector<Factor> factors = {factor_of("name", 4000, places), ordered(factor_of("line", 4000, places)),
                                       ordered(factor_of("circle", 4000, places), 4000)};
  const Following found = follow_regions(codes, factors, {.share = 0.5});
  EXPECT_THAT(found.factors, ElementsAre("line", "circle"));
  for (int64_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(found.scores(j, 0), 0.75, 1e-3);
    EXPECT_NEAR(found.scores(j, 1), std::pow(2 / std::numbers::pi, 2), 1e-3);
  }
  EXPECT_THAT(found.followers, ElementsAre(2, 0));
}

// Two passes, and circular variance by the mean resultant length.
TEST(Following, RegionsAreWhatTheFormulasGive) {
  const Matrix codes = random_codes(200, 6, 8);
  const std::vector<Factor> factors = {ordered(random_factor("line", 200, 9, 1)),
                                       ordered(random_factor("circle", 200, 8, 2), 8)};
  const Following found = follow_regions(codes, factors, {.share = 0.06});
  const auto strongest = search::strongest_items(codes, {}, {.most = 12});
  std::vector<int32_t> all(200);
  std::iota(all.begin(), all.end(), 0);
  const auto line = [&](std::span<const int32_t> items) {
    double mean = 0;
    double sum = 0;
    for (const int32_t i : items)
      mean += factors[0].classes[static_cast<size_t>(i)] / static_cast<double>(items.size());
    for (const int32_t i : items) sum += std::pow(factors[0].classes[static_cast<size_t>(i)] - mean, 2);
    return sum / (static_cast<double>(items.size()) - 1);
  };
  const auto circle = [&](std::span<const int32_t> items) {
    const auto n = static_cast<double>(items.size());
    double x = 0;
    double y = 0;
    for (const int32_t i : items) {
      const double angle = 2 * std::numbers::pi * factors[1].classes[static_cast<size_t>(i)] / 8;
      x += std::cos(angle) / n;
      y += std::sin(angle) / n;
    }
    return n / (n - 1) * (1 - x * x - y * y);
  };
  for (int64_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(found.scores(j, 0), 1 - line(strongest.of(j)) / line(all), 1e-9);
    EXPECT_NEAR(found.scores(j, 1), 1 - circle(strongest.of(j)) / circle(all), 1e-9);
  }
}

TEST(Following, IsTheSameForDenseAndSparseAndAnyNumberOfThreads) {
  const Matrix codes = random_codes(500, 11, 4);
  const std::vector<Factor> factors = {ordered(random_factor("a", 500, 5, 6)),
                                       ordered(random_factor("b", 500, 4, 7), 4)};
  for (auto* const follow : {&follow_values, &follow_regions}) {
    const Following one = follow(codes, factors, {.threads = 1});
    const Following two = follow(SparseMatrix::from_dense(codes), factors, {.threads = 3});
    EXPECT_EQ(one.scores, two.scores);
    EXPECT_EQ(one.mean_chance, two.mean_chance);
  }
}

TEST(Following, WithoutAnOrderOrLiveFeaturesThereIsNothing) {
  const std::vector<Factor> names = {random_factor("a", 50, 5, 6)};
  EXPECT_TRUE(follow_regions(random_codes(50, 3, 1), names).factors.empty());
  const Following dead = follow_values(Matrix(50, 3), names);
  EXPECT_EQ(dead.features, 0);
  EXPECT_EQ(dead.mean_best, 0);
}

TEST(Following, RejectsWhatDoesNotFit) {
  const std::vector<Factor> factors = {random_factor("a", 50, 5, 6)};
  EXPECT_THAT(test::message_of([&] { follow_values(Matrix(0, 3), factors); }), HasSubstr("at least one item"));
  EXPECT_THAT(test::message_of([] { follow_values(Matrix(5, 3), {}); }),
              HasSubstr("[follow_values] expected at least"));
  EXPECT_THAT(test::message_of([&] { follow_regions(Matrix(50, 3), factors, {.share = 2}); }),
              HasSubstr("up to 1, got 2"));
  EXPECT_THAT(test::message_of([&] { follow_regions(Matrix(4, 3), factors); }),
              HasSubstr("expected 4 values of factor a"));
  std::vector<Factor> endless = {ordered(factor_of("a", 2, {0, 1}))};
  endless[0].values[1] = INFINITY;
  EXPECT_THAT(test::message_of([&] { follow_regions(Matrix(2, 1), endless); }),
              HasSubstr("finite values of a, got inf"));
}

}  // namespace
}  // namespace orthant::disentangle
