#include "orthant/data/subset.h"

#include <gmock/gmock.h>

#include "orthant/data/balanced_subset.h"
#include "orthant/data/concatenation.h"
#include "tests/data/fake_dataset.h"

namespace orthant {
namespace {

using test::fake_dataset;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Choose, EveryItemIsEquallyLikely) {
  std::vector<int> counts(10);
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Rng rng(seed);
    const auto chosen = choose(10, 3, rng);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_EQ(chosen.size(), 3);
    for (const int64_t i : chosen) ++counts[static_cast<size_t>(i)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 6000, 6 * 65);
}

TEST(Subset, ShowsTheItemsAtTheIndices) {
  const auto part = subset(fake_dataset(10, 3), std::vector<int64_t>{7, 2});
  EXPECT_EQ(part->size(), 2);
  EXPECT_EQ(part->image(0).pixels[0], 7);
  EXPECT_EQ(part->label(0), 1);
  EXPECT_EQ(part->id(1), "2");
  std::array<int32_t, 1> parity{};
  part->factors(0, parity);
  EXPECT_THAT(parity, ElementsAre(1));
  EXPECT_EQ(part->info().class_names.size(), 3);
}

TEST(Subset, OfACountIsRepeatableAndDependsOnTheSeed) {
  const auto ids = [](uint64_t seed) {
    const auto part = subset(fake_dataset(100, 3), 20, seed);
    std::vector<std::string> all;
    for (int64_t i = 0; i < part->size(); ++i) all.push_back(part->id(i));
    return all;
  };
  EXPECT_EQ(ids(1), ids(1));
  EXPECT_NE(ids(1), ids(2));
  EXPECT_EQ(ids(1).size(), 20);
}

TEST(Subset, RejectsIndicesThatAreNotThereOnce) {
  EXPECT_THAT(message_of<std::invalid_argument>([] {
                subset(fake_dataset(3, 1), std::vector<int64_t>{0, 3});
              }),
              HasSubstr("[subset of fake] expected indices from 0 to 2, got 3"));
  EXPECT_THAT(message_of<std::invalid_argument>([] {
                subset(fake_dataset(3, 1), std::vector<int64_t>{1, 1});
              }),
              HasSubstr("got 1 twice"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { subset(fake_dataset(3, 1), 4, 0); }),
              HasSubstr("expected 0 to 3 items, got 4"));
  EXPECT_THROW(subset(fake_dataset(3, 1), std::vector<int64_t>{})->image(0), std::invalid_argument);
}

TEST(BalancedSubset, HasAsManyOfEveryClass) {
  const auto part = balanced_subset(fake_dataset(100, 7), 5, 3);
  std::vector<int> counts(7);
  for (int64_t i = 0; i < part->size(); ++i) ++counts[static_cast<size_t>(part->label(i))];
  EXPECT_THAT(counts, ::testing::Each(5));
}

TEST(BalancedSubset, NamesTheClassThatHasTooFew) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { balanced_subset(fake_dataset(8, 3), 3, 0); }),
              HasSubstr("expected at least 3 items of class 2, got 2"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { balanced_subset(fake_dataset(8, 0), 3, 0); }),
              HasSubstr("expected classes, got none"));
}

TEST(Concatenation, PutsPartsOneAfterTheOther) {
  const auto both = concatenate({fake_dataset(3, 2), fake_dataset(2, 2)});
  EXPECT_EQ(both->size(), 5);
  EXPECT_EQ(both->image(2).pixels[0], 2);
  EXPECT_EQ(both->image(4).pixels[0], 1);
  EXPECT_EQ(both->id(4), "all/1");
  EXPECT_THROW(both->label(5), std::invalid_argument);
  EXPECT_THROW(concatenate({fake_dataset(3, 2), fake_dataset(2, 3)}), std::invalid_argument);
  EXPECT_THROW(concatenate({}), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
