#include <gtest/gtest.h>

#include <string>

#include "orthant/query/filter.h"
#include "orthant/query/weights.h"
#include "tests/support/message_of.h"

namespace orthant::query {
namespace {

using test::message_of;

const Vocabulary kWords{3, {"wheel", "fur", ""}, {"cat", "dog"}};

std::string refusal(const std::string& text, const Vocabulary& words = kWords) {
  return message_of([&] { Filter::parse(text, words); });
}

TEST(Query, MessagesSayWhatAndWhere) {
  EXPECT_EQ(refusal("whel > 1"),
            "[filter] expected the name of a feature (or f0, f1, ...), got 'whel'; did you mean 'wheel'?");
  EXPECT_EQ(refusal("aeroplane"), "[filter] expected the name of a feature (or f0, f1, ...), got 'aeroplane'");
  EXPECT_EQ(refusal("f3"), "[filter] expected a feature from f0 to f2, got f3");
  EXPECT_EQ(refusal("class=cet"), "[filter] expected the name of a class, got 'cet'; did you mean 'cat'?");
  EXPECT_EQ(refusal("class=cat", {3, {}, {}}),
            "[filter] expected items with classes for class cat, got items without labels");
  EXPECT_EQ(refusal("wheel > x"), "[filter] expected a number, got 'x' at character 9");
  EXPECT_EQ(refusal("wheel fur"), "[filter] expected 'and', 'or' or the end, got 'fur' at character 7");
  EXPECT_EQ(refusal("(wheel"), "[filter] expected 'and', 'or' or ')', got the end");
  EXPECT_EQ(refusal("id > 3"), "[filter] expected = or ~ behind 'id', got '> 3' at character 4");
  EXPECT_EQ(message_of([] { parse_weights("wheel:1, f0:2", kWords); }),
            "[features] expected each feature once, got 'f0' again");
}

TEST(Query, ClassesWithoutNamesAreCalledByTheirNumber) {
  Embeddings embeddings;
  embeddings.features = Matrix(3, 2);
  embeddings.labels = {0, 2, -1};
  const Vocabulary words = vocabulary_of(embeddings);
  EXPECT_EQ(Filter::parse("class=2", words).conditions().at(0).label, 2);
  EXPECT_EQ(refusal("class=3", words), "[filter] expected the name of a class, got '3'; did you mean '0'?");
}

}  // namespace
}  // namespace orthant::query
