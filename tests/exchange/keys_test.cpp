#include <gtest/gtest.h>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/item_keys.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

// As Python's uuid.uuid5(uuid.NAMESPACE_URL, name) gives them.
TEST(ItemKeys, UuidsAreThoseOfVersionFive) {
  EXPECT_EQ(uuid_of("http://www.python.org/"), "c2a8cbf8-d0f1-5ef4-9740-c3faec8ab1a0");
  EXPECT_EQ(uuid_of(""), "1b4db7eb-4057-5ddf-91e0-36dec72071f5");
  EXPECT_EQ(uuid_of(std::string(200, 'x')), "cd3580b9-d244-586a-8077-74317319b48d");
}

TEST(ItemKeys, CodePointsAreCountedAndOtherBytesRefused) {
  EXPECT_EQ(code_points(""), 0);
  EXPECT_EQ(code_points("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 4);
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    EXPECT_EQ(code_points(bad), -1) << bad;
  }
}

TEST(FeatureKeys, AreNeverGivenTwice) {
  Embeddings items;
  items.features = Matrix(1, 5);
  items.feature_names = {"a.b", "a_b", "", "f2", "f1"};
  EXPECT_EQ(feature_keys(items, {.dots = false}), (std::vector<std::string>{"a_b", "f1", "f2", "f3", "f4"}));
  EXPECT_EQ(feature_keys(items, {}), (std::vector<std::string>{"a.b", "a_b", "f2", "f3", "f1"}));
}

}  // namespace
}  // namespace orthant::exchange
