#include "orthant/data/split.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "orthant/data/label_noise.h"
#include "tests/data/fake_dataset.h"

namespace orthant {
namespace {

using test::fake_dataset;
using test::message_of;
using ::testing::HasSubstr;

std::set<std::string> ids(const DatasetPtr& dataset) {
  std::set<std::string> all;
  for (int64_t i = 0; i < dataset->size(); ++i) all.insert(dataset->id(i));
  return all;
}

TEST(Split, PartsAreDisjointAndComplete) {
  for (const int64_t size : {1, 2, 9, 10, 11, 100, 1234}) {
    for (const double fraction : {0.0, 0.3, 0.5, 1.0}) {
      const auto [first, second] = split(fake_dataset(size, 2), fraction, 5);
      EXPECT_EQ(first->size(), std::llround(fraction * static_cast<double>(size)));
      auto all = ids(first);
      all.merge(ids(second));
      EXPECT_EQ(static_cast<int64_t>(all.size()), size);
      EXPECT_EQ(first->size() + second->size(), size);
    }
  }
  EXPECT_THROW(split(fake_dataset(3, 2), 1.5, 0), std::invalid_argument);
  EXPECT_THROW(split(fake_dataset(3, 2), NAN, 0), std::invalid_argument);
}

TEST(StandardSplit, SetsATenthApartAndNeverNothing) {
  for (const auto& [size, test_size] :
       {std::pair<int64_t, int64_t>{2, 1}, {4, 1}, {10, 1}, {14, 1}, {15, 2}, {100, 10}}) {
    const auto train = standard_split(fake_dataset(size, 2), "train");
    const auto test = standard_split(fake_dataset(size, 2), "test");
    EXPECT_EQ(test->size(), test_size);
    auto all = ids(train);
    all.merge(ids(test));
    EXPECT_EQ(static_cast<int64_t>(all.size()), size);
    EXPECT_EQ(test->info().split, "test");
  }
  EXPECT_EQ(standard_split(fake_dataset(7, 2), "all")->size(), 7);
  EXPECT_EQ(standard_split(fake_dataset(1, 2), "train")->size(), 1);
}

TEST(StandardSplit, TakesATenthOfEveryClass) {
  std::vector<int64_t> labels;
  for (const auto& [label, count] : {std::pair<int64_t, int64_t>{0, 100}, {1, 37}, {2, 10}, {-1, 23}, {3, 4}}) {
    labels.insert(labels.end(), static_cast<size_t>(count), label);
  }
  const auto test = standard_split(std::make_shared<test::FakeDataset>(labels, 4), "test");
  std::map<int64_t, int64_t> counts;
  for (int64_t i = 0; i < test->size(); ++i) ++counts[test->label(i)];
  EXPECT_EQ(test->size(), 17);
  EXPECT_EQ(counts[0], 10);
  EXPECT_NEAR(static_cast<double>(counts[1]), 3.7, 1);
  EXPECT_EQ(counts[2], 1);
  EXPECT_NEAR(static_cast<double>(counts[-1]), 2.3, 1);
  EXPECT_LE(counts[3], 1);
}

TEST(StandardSplit, SaysThatItWasMadeHereAndHowLargeEachIs) {
  for (const std::string split : {"train", "test", "all"}) {
    const auto dataset = standard_split(fake_dataset(28, 2), split);
    EXPECT_TRUE(dataset->info().split_made_here);
    EXPECT_EQ(dataset->info().split, split);
    EXPECT_EQ(dataset->info().splits, (std::vector<NamedCount>{{"train", 25}, {"test", 3}, {"all", 28}}));
  }
  EXPECT_FALSE(fake_dataset(28, 2)->info().split_made_here);
}

TEST(StandardSplit, RejectsTheTestOfASingleItemAndOtherNames) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { standard_split(fake_dataset(1, 2), "test"); }),
              HasSubstr("expected at least 2 items to set some apart for the test, got 1; the split all has them all"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { standard_split(fake_dataset(9, 2), "val"); }),
              HasSubstr("[fake] expected the split train, test or all, got val"));
}

TEST(LabelNoise, ChangesExactlyTheStatedShareToOtherClasses) {
  const auto clean = fake_dataset(1000, 5);
  for (const double fraction : {0.0, 0.1, 0.4, 1.0}) {
    const auto noisy = label_noise(clean, fraction, 9);
    int64_t changed = 0;
    for (int64_t i = 0; i < 1000; ++i) {
      changed += noisy->label(i) != clean->label(i);
      EXPECT_GE(noisy->label(i), 0);
      EXPECT_LT(noisy->label(i), 5);
      EXPECT_EQ(noisy->image(i), clean->image(i));
    }
    EXPECT_EQ(changed, std::llround(1000 * fraction));
  }
}

TEST(LabelNoise, SpreadsEvenlyOverTheOtherClasses) {
  const auto clean = fake_dataset(50'000, 5);
  const auto noisy = label_noise(clean, 1, 2);
  std::vector<int> shifts(5);
  for (int64_t i = 0; i < 50'000; ++i) ++shifts[static_cast<size_t>((noisy->label(i) - clean->label(i) + 5) % 5)];
  EXPECT_EQ(shifts[0], 0);
  for (size_t k = 1; k < 5; ++k) EXPECT_NEAR(shifts[k], 12'500, 6 * 97);
}

TEST(LabelNoise, LeavesUnlabelledItemsAlone) {
  const auto clean = std::make_shared<test::FakeDataset>(std::vector<int64_t>{-1, 0, -1, 1}, 2);
  const auto noisy = label_noise(clean, 1, 0);
  EXPECT_EQ(noisy->label(0), -1);
  EXPECT_EQ(noisy->label(1), 1);
  EXPECT_EQ(noisy->label(2), -1);
  EXPECT_EQ(noisy->label(3), 0);
}

TEST(LabelNoise, RejectsASingleClassAndBadFractions) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { label_noise(fake_dataset(4, 1), 0.5, 0); }),
              HasSubstr("expected at least two classes, got 1"));
  EXPECT_THROW(label_noise(fake_dataset(4, 2), -0.1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
