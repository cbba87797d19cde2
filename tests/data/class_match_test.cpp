#include "orthant/data/class_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/fake_dataset.h"

namespace orthant {
namespace {

using test::fake_dataset;
using test::message_of;

TEST(ClassMatch, NumbersClassesByTheirNames) {
  EXPECT_THAT(match_classes({"b", {"dog", "cat"}}, {"a", {"bird", "cat", "dog"}}), ::testing::ElementsAre(2, 1));
}

TEST(ClassMatch, NamesBothSetsAndTheClassThatIsNotKnown) {
  EXPECT_EQ(message_of<std::invalid_argument>([] {
              match_classes({"b", {"cat", "cow"}}, {"a", {"cat", "dog"}});
            }),
            "[b] expected no classes but those of a (cat, dog), got 'cow' (of cat, cow)");
  EXPECT_EQ(message_of<std::invalid_argument>([] {
              match_classes({"b", {}}, {"a", {"cat"}});
            }),
            "[b] expected items with classes, got none");
  EXPECT_EQ(message_of<std::invalid_argument>([] {
              match_classes({"b", {"cat"}}, {"a", {}});
            }),
            "[a] expected items with classes, got none");
}

TEST(ClassMatch, GivesADataSetTheClassesOfAnother) {
  const auto own = std::make_shared<test::FakeDataset>(std::vector<int64_t>{0, 1, -1, 1}, 2);
  const DatasetPtr matched = with_classes(own, {"known", {"x", "class 1", "class 0"}});
  EXPECT_EQ(matched->info().class_names.size(), 3U);
  EXPECT_EQ(matched->info().name, "fake");
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < matched->size(); ++i) labels.push_back(matched->label(i));
  EXPECT_THAT(labels, ::testing::ElementsAre(2, 1, -1, 1));
  EXPECT_EQ(matched->image(3).pixels, own->image(3).pixels);
  EXPECT_EQ(matched->id(2), own->id(2));
}

}  // namespace
}  // namespace orthant
