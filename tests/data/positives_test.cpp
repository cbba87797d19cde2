#include "orthant/data/positives.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;
using Pair = std::array<int64_t, 2>;

TEST(LinkPositives, OfEqualWeightsAreEachLinkOnceWithEitherEndFirst) {
  const auto links = link_positives({{0, 1, 2}, {1, 2, 2}, {3, 3, 2}}, 4);
  ASSERT_EQ(links->size(), 3);
  std::set<Pair> seen;
  for (uint32_t epoch = 0; epoch < 50; ++epoch) seen.insert(links->draw(1, {.epoch = epoch, .sample = 1}));
  EXPECT_EQ(seen, (std::set<Pair>{{1, 2}, {2, 1}}));
  EXPECT_EQ(links->draw(2, {}), (Pair{3, 3})) << "a link to itself";
}

TEST(LinkPositives, OfOtherWeightsAreDrawnInProportion) {
  const auto links = link_positives({{0, 1, 1}, {1, 2, 0}, {2, 3, 3}}, 4);
  std::map<std::set<int64_t>, double> counts;
  for (uint64_t entry = 0; entry < 4000; ++entry) {
    const Pair pair =
        links->draw(static_cast<int64_t>(entry % 3), {.epoch = static_cast<uint32_t>(entry), .sample = 1});
    counts[{pair[0], pair[1]}] += 1.0 / 4000;
  }
  EXPECT_NEAR((counts[{0, 1}]), 0.25, 0.03);
  EXPECT_NEAR((counts[{2, 3}]), 0.75, 0.03);
  EXPECT_EQ((counts[{1, 2}]), 0);
}

TEST(LinkPositives, AppearAsOftenAsTheirLinksWeigh) {
  const auto star = link_positives({{0, 1}, {0, 2}, {0, 3}}, 4);
  std::map<int64_t, int> first;
  for (uint32_t epoch = 0; epoch < 300; ++epoch) {
    for (int64_t e = 0; e < 3; ++e) ++first[star->draw(e, {.epoch = epoch, .sample = static_cast<uint64_t>(e)})[0]];
  }
  EXPECT_NEAR(first[0], 450, 60) << "half of the weight is at the centre";
  EXPECT_NEAR(first[2], 150, 40);
}

TEST(LinkPositives, RefusesWhatIsNoPair) {
  const auto refusal = [](std::vector<Link> links) {
    return test::message_of([&] { link_positives(std::move(links), 3); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("expected at least one pair, got none"));
  EXPECT_THAT(refusal({{0, 3}}), HasSubstr("expected items from 0 to 2, got 3"));
  EXPECT_THAT(refusal({{-1, 0}}), HasSubstr("got -1"));
  EXPECT_THAT(refusal({{0, 1, -2}}), HasSubstr("expected weights of 0 or more, got -2"));
  EXPECT_THAT(refusal({{0, 1, 0}}), HasSubstr("not all zero"));
}

TEST(ClassPositives, AreOtherMembersOfTheClass) {
  const std::vector<int64_t> labels = {0, 1, 0, -1, 2, 0, 1};
  const auto pairs = class_positives(labels);
  ASSERT_EQ(pairs->size(), 5) << "not the item without a class, nor the one alone in its";
  std::set<int64_t> partners;
  for (uint32_t epoch = 0; epoch < 40; ++epoch) {
    for (int64_t e = 0; e < pairs->size(); ++e) {
      const Pair pair = pairs->draw(e, {.epoch = epoch, .sample = static_cast<uint64_t>(e)});
      EXPECT_NE(pair[0], pair[1]);
      EXPECT_EQ(labels[static_cast<size_t>(pair[0])], labels[static_cast<size_t>(pair[1])]);
      if (pair[0] == 0) partners.insert(pair[1]);
    }
  }
  EXPECT_EQ(partners, (std::set<int64_t>{2, 5}));
  EXPECT_THAT(test::message_of([] {
                class_positives(std::vector<int64_t>{0, 1, -1});
              }),
              HasSubstr("expected a class of two items or more, got none"));
}

}  // namespace
}  // namespace orthant
