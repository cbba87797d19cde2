#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orthant/query/filter.h"
#include "orthant/query/weights.h"
#include "tests/support/message_of.h"

namespace orthant::query {
namespace {

using Json = nlohmann::json;

Json golden() {
  std::ifstream file(ORTHANT_GOLDEN_DIR "/query/filters.json");
  return Json::parse(file);
}

Vocabulary vocabulary(const Json& all) {
  return {std::ssize(all.at("features")), all.at("features").get<std::vector<std::string>>(),
          all.at("classes").get<std::vector<std::string>>()};
}

bool holds(const Condition& condition, const Json& item, const Vocabulary& words) {
  if (condition.on_feature()) {
    return condition.holds(item.at("values").at(static_cast<size_t>(condition.feature)).get<float>());
  }
  if (condition.kind == Condition::Kind::class_is || condition.kind == Condition::Kind::class_not) {
    const Json& kind = item.at("class");
    const int64_t label = kind.is_null() ? -1 : words.label(kind.get<std::string>(), "test");
    return (label == condition.label) == (condition.kind == Condition::Kind::class_is);
  }
  return condition.holds(std::string_view(item.at("id").get_ref<const std::string&>()));
}

TEST(QueryGolden, FiltersLeaveTheItemsTheyShould) {
  const Json all = golden();
  const Vocabulary words = vocabulary(all);
  ASSERT_GT(all.at("cases").size(), 100U);
  for (const Json& test : all.at("cases")) {
    const auto text = test.at("filter").get<std::string>();
    if (test.contains("error")) {
      const std::string message = test::message_of([&] { Filter::parse(text, words); });
      EXPECT_TRUE(message.starts_with("[filter] expected ")) << text << ": " << message;
      continue;
    }
    const Filter filter = Filter::parse(text, words);
    std::vector<size_t> found;
    for (size_t i = 0; i < all.at("items").size(); ++i) {
      const Json& item = all.at("items")[i];
      if (filter.matches([&](const Condition& condition) { return holds(condition, item, words); })) found.push_back(i);
    }
    EXPECT_EQ(found, test.at("items").get<std::vector<size_t>>()) << text;
  }
}

TEST(QueryGolden, WeightsMeanWhatTheyShould) {
  const Json all = golden();
  const Vocabulary words = vocabulary(all);
  for (const Json& test : all.at("weights")) {
    const auto text = test.at("weights").get<std::string>();
    if (test.contains("error")) {
      const std::string message = test::message_of([&] { parse_weights(text, words); });
      EXPECT_TRUE(message.starts_with("[features] expected ")) << text << ": " << message;
      continue;
    }
    std::vector<Weight> expected;
    for (const Json& pair : test.at("vector")) expected.push_back({pair.at(0).get<int64_t>(), pair.at(1).get<float>()});
    EXPECT_EQ(parse_weights(text, words), expected) << text;
  }
}

}  // namespace
}  // namespace orthant::query
