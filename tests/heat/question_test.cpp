#include "orthant/heat/question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/message_of.h"

namespace orthant::heat {
namespace {

using test::message_of;
using testing::HasSubstr;

TEST(HeatQuestion, ComesBackAsItWasSent) {
  const Question question{.features = {3, 70000}, .other = {0.5F, -1}, .picture = std::string("a\0b", 3)};
  const Question back = from_bytes(to_bytes(question));
  EXPECT_EQ(back.features, question.features);
  EXPECT_EQ(back.other, question.other);
  EXPECT_EQ(back.picture, question.picture);
}

TEST(HeatQuestion, RefusesWhatIsNone) {
  const std::string good = to_bytes({.features = {3}, .other = {1}, .picture = "p"});
  for (size_t length = 0; length + 1 < good.size(); ++length) {
    EXPECT_THAT(message_of([&] { from_bytes(std::string_view(good).substr(0, length)); }), HasSubstr("[where]"))
        << length;
  }
  EXPECT_THAT(message_of([] { from_bytes(to_bytes({.picture = "p"})); }), HasSubstr("got neither"));
  EXPECT_THAT(message_of([] { from_bytes(to_bytes({.features = std::vector<int64_t>(65)})); }),
              HasSubstr("at most 64 features, got 65"));
  EXPECT_THAT(message_of([] { from_bytes(to_bytes({.other = {std::numeric_limits<float>::infinity()}})); }),
              HasSubstr("finite"));
  std::string many = to_bytes({.features = {1}, .other = {1}});
  many[8] = '\xff';
  EXPECT_THAT(message_of([&] { from_bytes(many); }), HasSubstr("expected 255 numbers of another item"));
}

}  // namespace
}  // namespace orthant::heat
