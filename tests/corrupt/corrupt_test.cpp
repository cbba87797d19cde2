#include "orthant/corrupt/corrupt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "orthant/core/threads.h"
#include "orthant/data/corrupted.h"
#include "orthant/sources/open.h"
#include "tests/corrupt/pictures.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::corrupted;
using test::scene;
using testing::HasSubstr;

TEST(Corrupt, NameAloneMeansSeverityThree) {
  EXPECT_EQ(corrupt::parse("fog"), (corrupt::Corruption{"fog", 3}));
  EXPECT_EQ(corrupt::parse("snow:5"), (corrupt::Corruption{"snow", 5}));
  EXPECT_EQ(corrupt::to_string(corrupt::parse("jpeg")), "jpeg:3");
}

TEST(Corrupt, ListsTheFifteenTheFourAndTheTwo) {
  std::map<corrupt::Group, int> counts;
  for (const corrupt::Kind& kind : corrupt::names()) {
    ++counts[kind.group];
    EXPECT_FALSE(kind.description.empty() || kind.description.ends_with('.')) << kind.name;
  }
  EXPECT_EQ(counts[corrupt::Group::common], 15);
  EXPECT_EQ(counts[corrupt::Group::extra], 4);
  EXPECT_EQ(counts[corrupt::Group::stand_in], 2);
}

TEST(Corrupt, RefusesUnknownNamesAndSeveritiesAndListsTheNames) {
  for (const char* text : {"", "fogg", "fog:0", "fog:6", "fog:", "fog:33", "fog:-1", "fog:x", ":3", "all", "fog:3:1"}) {
    const std::string message = test::message_of([&] { corrupt::parse(text); });
    EXPECT_THAT(message, HasSubstr("[corrupt] expected NAME or NAME:SEVERITY with a severity from 1 to 5")) << text;
    EXPECT_THAT(message, HasSubstr("gaussian_noise, shot_noise")) << text;
    EXPECT_THAT(message, HasSubstr("sketch, stylised; got " + std::string(*text == 0 ? "nothing" : text)));
  }
  const auto apply = [](const corrupt::Corruption& corruption) {
    return test::message_of([&] { corrupt::apply(Image(2, 2, 1), corruption, Rng(0)); });
  };
  EXPECT_THAT(apply({"fog", 9}), HasSubstr("got fog:9"));
  EXPECT_THAT(apply({"mist", 1}), HasSubstr("got mist:1"));
}

TEST(Corrupt, RefusesWhatIsNoPicture) {
  Image torn(4, 4, 3);
  torn.pixels.resize(5);
  for (const Image& image : {Image(), Image(4, 4, 2), Image(0, 3, 1), torn}) {
    EXPECT_THAT(test::message_of([&] {
                  corrupt::apply(image, {"fog", 1}, Rng(0));
                }),
                HasSubstr("[corrupt] expected a whole picture of 1 or 3 channels, got "));
  }
}

TEST(Corrupt, AnySizeGivesThatSizeGreyOrColour) {
  for (const corrupt::Kind& kind : corrupt::names()) {
    for (const auto& [height, width] :
         {std::pair{1, 1}, {1, 2}, {1, 17}, {17, 1}, {2, 2}, {3, 3}, {3, 500}, {500, 3}, {33, 31}, {64, 48}}) {
      for (const int64_t channels : {1, 3}) {
        const Image image = scene(height, width, channels);
        for (const int severity : {1, 5}) {
          const Image got = corrupted(image, corrupt::to_string({kind.name, severity}));
          ASSERT_EQ(got.height, height) << kind.name;
          ASSERT_EQ(got.width, width) << kind.name;
          ASSERT_EQ(got.channels, channels) << kind.name;
          ASSERT_EQ(got.pixels.size(), image.pixels.size()) << kind.name;
        }
      }
    }
  }
}

// What moves levels about leaves a plain picture alone, and so does what multiplies black or adds to white; whatever
// adds or draws something must show.
bool leaves_alone(const corrupt::Corruption& corruption, uint8_t level) {
  static const std::set<std::string> any = {"defocus_blur", "glass_blur", "motion_blur", "zoom_blur",
                                            "contrast",     "elastic",    "pixelate",    "gaussian_blur"};
  static const std::set<std::string> black = {"shot_noise", "speckle_noise", "fog", "saturate"};
  static const std::set<std::string> white = {"brightness", "snow", "sketch"};
  const auto& [name, severity] = corruption;
  if (level == 255 && name == "frost") return severity <= 2;     // which only adds; from 3 on the picture is dimmed
  if (level == 255 && name == "saturate") return severity <= 3;  // from 4 on every pixel gains some saturation
  return any.contains(name) || (level == 0 ? black : white).contains(name);
}

TEST(Corrupt, PlainPicturesChangeWhereTheRuleAddsSomething) {
  for (const corrupt::Kind& kind : corrupt::names()) {
    if (kind.name == "jpeg") continue;  // its steps decide whether black is one
    for (const uint8_t level : {uint8_t{0}, uint8_t{255}}) {
      const Image plain(32, 32, 3, level);
      for (int severity = 1; severity <= corrupt::kSeverities; ++severity) {
        const corrupt::Corruption corruption{kind.name, severity};
        const std::string what = corrupt::to_string(corruption);
        EXPECT_EQ(corrupted(plain, what) == plain, leaves_alone(corruption, level)) << what << " of " << int{level};
      }
    }
  }
}

TEST(Corrupt, HarmGrowsWithSeverity) {
  for (const corrupt::Kind& kind : corrupt::names()) {
    // Saturate pales at first, then strengthens; elastic shifts less and wobbles more, and a shift counts for more
    // here.
    if (kind.name == "saturate" || kind.name == "elastic") continue;
    std::vector<double> harm;
    for (int severity = 1; severity <= corrupt::kSeverities; ++severity) {
      double sum = 0;
      for (int item = 0; item < 40; ++item) {
        const Image image = scene(32, 32, 3, item);
        sum += test::mean_squared_difference(image, corrupted(image, corrupt::to_string({kind.name, severity}), item));
      }
      harm.push_back(sum / 40);
    }
    EXPECT_GT(harm.front(), 0) << kind.name;
    EXPECT_GT(harm.back(), 1.2 * harm.front()) << kind.name;
    // The benchmark's own steps are not even: a blur of 4 may harm less than one of 3.
    for (size_t k = 1; k < harm.size(); ++k) EXPECT_GT(harm[k], 0.75 * harm[k - 1]) << kind.name << ":" << k + 1;
  }
}

TEST(Corrupt, DependsOnSeedItemAndCorruptionOnly) {
  const Image image = scene(32, 32, 3);
  for (const corrupt::Kind& kind : corrupt::names()) {
    const corrupt::Corruption corruption{kind.name, 4};
    const auto make = [&](uint64_t seed, int64_t item) {
      return corrupt::apply(image, corruption, corrupt::stream(corruption, seed, item));
    };
    EXPECT_EQ(make(1, 2), make(1, 2)) << kind.name;
    if (kind.name.ends_with("noise") || kind.name == "snow" || kind.name == "elastic" || kind.name == "stylised") {
      EXPECT_NE(make(1, 2), make(1, 3)) << kind.name;
      EXPECT_NE(make(1, 2), make(2, 2)) << kind.name;
    }
  }
}

TEST(CorruptedDataset, KeepsItemsAndNamesTheCorruption) {
  const DatasetPtr clean = open_dataset("sprites", {.split = "test", .size = 20});
  const DatasetPtr fog = open_dataset("sprites", {.split = "test", .size = 20, .corrupt = "fog"});
  EXPECT_EQ(fog->info().name, "sprites+fog:3");
  ASSERT_EQ(fog->size(), 20);
  std::vector<int32_t> a(clean->info().factors.size()), b = a;
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(fog->label(i), clean->label(i));
    EXPECT_EQ(fog->id(i), clean->id(i));
    clean->factors(i, a);
    fog->factors(i, b);
    EXPECT_EQ(a, b);
    EXPECT_EQ(fog->image(i), corrupted(clean->image(i), "fog:3", i));
    EXPECT_NE(fog->image(i), clean->image(i));
  }
  EXPECT_THAT(test::message_of([&] { fog->image(20); }), HasSubstr("expected an index from 0 to 19, got 20"));
}

TEST(CorruptedDataset, IsTheSameOnAnyNumberOfThreads) {
  const DatasetPtr data = open_dataset("sprites", {.split = "test", .size = 64, .corrupt = "stylised:5"});
  const auto all = [&](int threads) {
    std::vector<Image> images(64);
    parallel_for(64, 1, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) images[static_cast<size_t>(i)] = data->image(i);
    });
    return images;
  };
  EXPECT_EQ(all(1), all(3));
}

TEST(CorruptedDataset, RefusesUnknownCorruptionsWhenOpened) {
  EXPECT_THAT(test::message_of([] { open_dataset("sprites", {.corrupt = "mist"}); }), HasSubstr("; got mist"));
}

}  // namespace
}  // namespace orthant
