#include "orthant/views/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace orthant {
namespace {

using testing::HasSubstr;

template <class Change>
std::string message_after(const Change& change) {
  ViewOptions options;
  change(options);
  try {
    options.validate();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "valid";
}

TEST(ViewOptions, DefaultsAreTheSimclrPreset) { EXPECT_EQ(view_preset("simclr"), ViewOptions{}); }

TEST(ViewOptions, PresetsAreValidAtEverySize) {
  for (const auto& name : view_preset_names()) {
    for (const int64_t size : {1, 32, 64, 224}) {
      const ViewOptions options = view_preset(name, size);
      EXPECT_NO_THROW(options.validate());
      EXPECT_EQ(options.size, size);
    }
  }
  EXPECT_EQ(view_preset("eval", 224).centre_fraction, 0.875);
  EXPECT_EQ(view_preset("eval", 32).centre_fraction, 1);
}

TEST(ViewOptions, SmallPicturesKeepMoreOfTheirColours) {
  ViewOptions whole = view_preset("simclr", 28);
  const ViewOptions small = view_preset("simclr-small", 28);
  EXPECT_EQ(small.brightness, whole.brightness / 2);
  EXPECT_EQ(small.hue, whole.hue / 2);
  whole.brightness = whole.contrast = whole.saturation = 0.4;
  whole.hue = 0.1;
  whole.blur_probability = 0;
  EXPECT_EQ(small, whole);
}

TEST(ViewOptions, RejectsUnknownPresets) {
  try {
    view_preset("strong");
    FAIL() << "expected std::invalid_argument";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "[views] expected a preset of simclr, simclr-small, weak, none, eval, got strong");
  }
}

TEST(ViewOptions, NamesTheSettingThatIsOutOfRange) {
  EXPECT_EQ(message_after([](auto& o) { o.size = 0; }), "[views] expected size from 1 to 4096, got 0");
  EXPECT_EQ(message_after([](auto& o) { o.channels = 2; }), "[views] expected channels to be 1 or 3, got 2");
  EXPECT_EQ(message_after([](auto& o) { o.crop = "left"; }),
            "[views] expected crop to be one of random, centre, stretch, got left");
  EXPECT_EQ(message_after([](auto& o) { o.scale_min = 0; }), "[views] expected scale_min above 0 up to 1, got 0");
  EXPECT_EQ(message_after([](auto& o) { o.grey_probability = 1.5; }),
            "[views] expected grey_probability from 0 to 1, got 1.5");
  EXPECT_EQ(message_after([](auto& o) { o.ratio_max = 0.5; }),
            "[views] expected ratio_min <= ratio_max, got 0.75 and 0.5");
  EXPECT_THAT(message_after([](auto& o) { o.ratio_min = 1e-300; }), HasSubstr("ratio_min"));
  EXPECT_THAT(message_after([](auto& o) { o.centre_fraction = 1e-300; }), HasSubstr("centre_fraction"));
  EXPECT_THAT(message_after([](auto& o) { o.hue = 0.6; }), HasSubstr("hue"));
  EXPECT_THAT(message_after([](auto& o) { o.std_g = 0; }), HasSubstr("std_g"));
  EXPECT_THAT(message_after([](auto& o) { o.brightness = NAN; }), HasSubstr("brightness"));
  EXPECT_THAT(message_after([](auto& o) { o.blur_sigma_max = 11; }), HasSubstr("blur_sigma_max"));
}

TEST(ViewOptions, ListsEveryFieldOnceWithHelp) {
  ViewOptions options;
  std::set<std::string> names;
  int count = 0;
  for_each_field(options, [&](const Field& field, auto& value) {
    static_assert(FieldValue<std::remove_cvref_t<decltype(value)>>);
    names.insert(field.name);
    EXPECT_FALSE(field.help.empty() || field.help.ends_with('.')) << field.name;
    ++count;
  });
  EXPECT_EQ(names.size(), static_cast<size_t>(count));
  EXPECT_EQ(count, 26);
}

}  // namespace
}  // namespace orthant
