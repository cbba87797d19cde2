#include "orthant/core/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

struct TrainOptions {
  bool shuffle = true;
  int64_t batch = 256;
  double temperature = 0.2;
  std::string method = "ncl";
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, TrainOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"shuffle", "Shuffle"}, options.shuffle);
  visit(Field{"batch", "Batch", {.min = 1, .max = 4096}}, options.batch);
  visit(Field{"temperature", "Temperature", {.min = 0, .exclusive_min = true}}, options.temperature);
  visit(Field{"method", "Method", {.choices = {"cl", "ncl"}}}, options.method);
}

std::string rejection(const Settings& settings) {
  return test::message_of([&] {
    TrainOptions options;
    check_known(settings, setting_keys(options, "train"), "run.toml");
    apply_settings(options, "train", settings, "run.toml");
  });
}

TEST(Settings, ParseTakesTheNarrowestKind) {
  EXPECT_EQ(parse_setting("true"), Setting(true));
  EXPECT_EQ(parse_setting("12"), Setting(int64_t{12}));
  EXPECT_EQ(parse_setting("-0.5"), Setting(-0.5));
  EXPECT_EQ(parse_setting("1e-3"), Setting(1e-3));
  EXPECT_EQ(parse_setting("12 images"), Setting(std::string("12 images")));
  EXPECT_EQ(parse_setting("\"12\""), Setting(std::string("12")));
  EXPECT_EQ(parse_setting(""), Setting(std::string()));
  EXPECT_EQ(parse_setting("\""), Setting(std::string("\"")));
}

TEST(Settings, AssignmentNeedsAKeyAndAnEqualsSign) {
  EXPECT_EQ(parse_assignment("a.b=c=d"), std::make_pair(std::string("a.b"), Setting(std::string("c=d"))));
  EXPECT_THROW(parse_assignment("=1"), std::invalid_argument);
  EXPECT_THROW(parse_assignment("novalue"), std::invalid_argument);
}

TEST(Settings, ApplyReachesEveryKindOfField) {
  TrainOptions options;
  apply_settings(options, "train",
                 {{"train.shuffle", false},
                  {"train.batch", int64_t{64}},
                  {"train.temperature", int64_t{1}},
                  {"train.method", std::string("cl")}},
                 "test");
  EXPECT_FALSE(options.shuffle);
  EXPECT_EQ(options.batch, 64);
  EXPECT_EQ(options.temperature, 1.0);
  EXPECT_EQ(options.method, "cl");
}

TEST(Settings, LeavesOtherSectionsAlone) {
  TrainOptions options;
  apply_settings(options, "train", {{"views.batch", int64_t{64}}}, "test");
  EXPECT_EQ(options.batch, 256);
}

TEST(Settings, RejectsTheWrongKindTheWrongRangeAndTheUnknown) {
  EXPECT_EQ(rejection({{"train.batch", int64_t{1}}}), "nothing was thrown");
  EXPECT_THAT(rejection({{"train.batch", int64_t{0}}}), HasSubstr("batch to be at least 1 and at most 4096, got 0"));
  EXPECT_THAT(rejection({{"train.batch", 1.5}}), HasSubstr("batch to be a whole number, got number 1.5"));
  EXPECT_THAT(rejection({{"train.temperature", int64_t{0}}}), HasSubstr("a number above 0, got 0"));
  EXPECT_THAT(rejection({{"train.temperature", NAN}}), HasSubstr("got nan"));
  EXPECT_THAT(rejection({{"train.method", std::string("nlc")}}), HasSubstr("one of cl, ncl, got 'nlc'"));
  EXPECT_THAT(rejection({{"train.shuffle", int64_t{1}}}), HasSubstr("true or false, got whole number 1"));
  EXPECT_EQ(rejection({{"train.temprature", 0.1}}),
            "[run.toml] expected a known setting, got train.temprature; did you mean train.temperature?");
}

}  // namespace
}  // namespace orthant
