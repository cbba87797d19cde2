#include "orthant/core/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace orthant {
namespace {

using ::testing::ElementsAre;

// Known answers published with Random123.
TEST(Rng, PhiloxGivesThePublishedAnswers) {
  EXPECT_THAT(philox({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Rng, EveryPartOfTheKeyGivesAnotherStream) {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  const uint64_t far = uint64_t{1} << 33;
  for (const StreamKey key : {StreamKey{}, StreamKey{.seed = 1}, StreamKey{.seed = far}, StreamKey{.epoch = 1},
                              StreamKey{.sample = 1}, StreamKey{.sample = far}, StreamKey{.view = 1}}) {
    Rng rng(key);
    const uint32_t first = rng.next();
    seen.emplace(first, rng.next());
  }
  EXPECT_EQ(seen.size(), 7U);
}

TEST(Rng, SameKeyGivesTheSameNumbers) {
  const StreamKey key{.seed = 3, .epoch = 2, .sample = 5, .view = 1};
  Rng a(key);
  Rng b(key);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, RejectsSamplesThatWouldCollide) {
  EXPECT_THROW(Rng(StreamKey{.sample = uint64_t{1} << 48}), std::invalid_argument);
}

TEST(Rng, MomentsAreThoseOfTheDistribution) {
  Rng rng(11);
  constexpr int kDraws = 200'000;
  double mean = 0;
  double square = 0;
  double normal_mean = 0;
  double normal_square = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    mean += u / kDraws;
    square += u * u / kDraws;
    const double z = rng.normal();
    normal_mean += z / kDraws;
    normal_square += z * z / kDraws;
  }
  EXPECT_NEAR(mean, 0.5, 0.005);
  EXPECT_NEAR(square, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal_mean, 0, 0.01);
  EXPECT_NEAR(normal_square, 1, 0.02);
}

TEST(Rng, BelowIsUniformAndStaysBelow) {
  Rng rng(5);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts.at(rng.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(rng.below(1), 0U);
  EXPECT_THROW(rng.below(0), std::invalid_argument);
}

TEST(Rng, ShuffleReachesEveryOrderEquallyOften) {
  Rng rng(9);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 24'000; ++i) {
    std::vector<int> items(4);
    std::iota(items.begin(), items.end(), 0);
    rng.shuffle(std::span(items));
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace orthant
