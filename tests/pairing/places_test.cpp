#include "orthant/pairing/places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/rng.h"

namespace orthant::pairing {
namespace {

TEST(Places, WithoutTiesAreARank) {
  const Place third{.ahead = 2, .equal = 0, .own = 1};
  EXPECT_EQ(third.within(2), 0);
  EXPECT_EQ(third.within(3), 1);
}

TEST(Places, TiesAreWorkedOutByHand) {
  EXPECT_DOUBLE_EQ((Place{.ahead = 0, .equal = 3, .own = 1}.within(1)), 0.25);
  EXPECT_DOUBLE_EQ((Place{.ahead = 1, .equal = 3, .own = 1}.within(3)), 0.5);
  EXPECT_DOUBLE_EQ((Place{.ahead = 0, .equal = 2, .own = 2}.within(1)), 0.5);
  EXPECT_DOUBLE_EQ((Place{.ahead = 0, .equal = 2, .own = 2}.within(2)), 5.0 / 6);  // 1 - (2/4)(1/3)
  EXPECT_DOUBLE_EQ((Place{.ahead = 0, .equal = 2, .own = 2}.within(3)), 1);
}

// The naive twin: shuffles, and looks where the first of its own is.
TEST(Places, AreWhatRandomOrderGivesOnAverage) {
  Rng rng(3);
  for (const auto& [equal, own, k] : {std::array{5, 2, 3}, {4, 3, 2}, {7, 1, 4}, {2, 5, 2}}) {
    std::vector<int> row(static_cast<size_t>(equal + own));
    std::fill(row.begin(), row.begin() + own, 1);
    constexpr int kTrials = 40000;
    int found = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      rng.shuffle(std::span(row));
      found += std::count(row.begin(), row.begin() + k, 1) > 0 ? 1 : 0;
    }
    const Place place{.ahead = 10, .equal = equal, .own = own};
    EXPECT_NEAR(place.within(10 + k), static_cast<double>(found) / kTrials, 0.01);
  }
}

TEST(Places, RecallLeavesOutWhoHasNothingToFind) {
  const std::vector<Place> places = {{.ahead = 0, .own = 1}, {.ahead = 4, .own = 2}, {.ahead = 0, .equal = 9}};
  EXPECT_DOUBLE_EQ(recall_at(places, 1), 0.5);
  EXPECT_DOUBLE_EQ(recall_at(places, 5), 1);
  EXPECT_TRUE(std::isnan(recall_at({}, 1)));
}

TEST(Places, MedianRankIsTheFirstThatHalfReach) {
  std::vector<Place> places;
  for (const int64_t ahead : {0, 7, 2, 40, 2}) places.push_back({.ahead = ahead, .own = 1});
  EXPECT_EQ(median_rank(places), 3);
  places.pop_back();
  EXPECT_EQ(median_rank(places), 3);  // of 1, 3, 8, 41
  EXPECT_EQ(median_rank({}), 0);
}

TEST(Places, OfChanceAreWhatTheyOughtToBe) {
  const std::vector<int64_t> one(10, 1);
  EXPECT_NEAR(recall_at(chance_places(one, 1000), 10), 0.01, 1e-12);
  EXPECT_EQ(median_rank(chance_places(one, 1000)), 500);
  const std::vector<int64_t> five = {5, 5};
  EXPECT_NEAR(recall_at(chance_places(five, 5000), 1), 0.001, 1e-12);
  const double half = 5000 * (1 - std::pow(0.5, 0.2));  // the least of five of 5,000
  EXPECT_NEAR(static_cast<double>(median_rank(chance_places(five, 5000))), half, 2);
  EXPECT_EQ(median_rank(chance_places(std::vector<int64_t>{3}, 3)), 1);
}

}  // namespace
}  // namespace orthant::pairing
