#include "orthant/labels/labelled_items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "orthant/data/relabelled.h"
#include "orthant/sources/open.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Sprites with other labels, by the number of the item.
DatasetPtr labelled(const std::vector<int64_t>& labels, std::vector<std::string> names) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = std::ssize(labels)});
  DatasetInfo info = sprites->info();
  info.class_names = std::move(names);
  return std::make_shared<Relabelled>(sprites, labels, info);
}

TEST(LabelledItems, LabelsThatCannotBeLearnedFromAreRefusedInWords) {
  const auto refused = [](const DatasetPtr& data) { return message_of([&] { check_learnable(*data, "npy:x"); }); };
  EXPECT_EQ(refused(labelled({0, 1, 0}, {"a", "b"})), "nothing was thrown");
  EXPECT_EQ(refused(labelled({0, 0, 0}, {})), "[npy:x] expected labels in the split train, got none");
  EXPECT_EQ(refused(labelled({-1, -1}, {"a", "b"})), "[npy:x] expected labels in the split train, got none");
  EXPECT_EQ(refused(labelled({0, -1, 1, -1, 1}, {"a", "b"})),
            "[npy:x] expected a label for each of the 5 items of the split train, got 2 without");
  EXPECT_EQ(refused(labelled({0, 0}, {"a"})), "[npy:x] expected at least two classes to tell apart, got one");
  EXPECT_THAT(refused(labelled({1, 1}, {"a", "b"})), HasSubstr("two classes to tell apart, got one"));
  EXPECT_EQ(refused(labelled({0, 2, 0}, {"a", "b", "c"})),
            "[npy:x] expected items of each of the 3 classes in the split train, got none of b");
  EXPECT_EQ(refused(labelled({0, 2, 0}, {"a", "b", "c", "d"})),
            "[npy:x] expected items of each of the 4 classes in the split train, got none of b and 1 more");
}

TEST(LabelledItems, AShareIsBalancedAndItsNoiseExact) {
  const DatasetPtr all = open_dataset("sprites", {.size = 1600});
  EXPECT_EQ(labelled_share(all, 1, 0, 3), all);
  const DatasetPtr few = labelled_share(all, 0.1, 0, 3);
  std::map<int64_t, int64_t> counts;
  for (const int64_t label : labels_of(*few)) ++counts[label];
  EXPECT_EQ(counts.size(), all->info().class_names.size());
  for (const auto& [label, count] : counts) EXPECT_EQ(count, 10) << label;
  const DatasetPtr spoiled = labelled_share(all, 0.1, 0.25, 3);
  int64_t wrong = 0;
  for (int64_t i = 0; i < few->size(); ++i) {
    EXPECT_EQ(few->id(i), spoiled->id(i));
    wrong += few->label(i) != spoiled->label(i) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 40);
  EXPECT_EQ(labels_of(*spoiled), labels_of(*labelled_share(all, 0.1, 0.25, 3)));
  EXPECT_NE(labels_of(*spoiled), labels_of(*labelled_share(all, 0.1, 0.25, 4)));
}

}  // namespace
}  // namespace orthant
