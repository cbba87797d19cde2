#include "orthant/sounds/spoken.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TemporaryFolder;
using test::tone;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Spoken, NamesThePackageWhereTheProgramIsMissing) {
  const TemporaryFolder folder;
  const std::string place = folder / "spoken";
  EXPECT_THAT(message_of([&] { open_spoken({.folder = place, .program = "no-such-program"}); }),
              ::testing::AllOf(HasSubstr("[spoken] expected the program no-such-program"),
                               HasSubstr("apt-get install espeak-ng")));
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_THAT(message_of([&] { open_spoken({.folder = place, .program = "false"}); }), HasSubstr("got exit code 1"));
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_THAT(message_of([] { open_spoken({.folder = ""}); }), HasSubstr("expected $HOME or $XDG_CACHE_HOME"));
}

TEST(Spoken, PartsWordsBySilence) {
  std::vector<float> samples(800);
  for (const double seconds : {0.2, 0.5, 0.3}) {
    const std::vector<float> word = tone(500, seconds);
    samples.insert(samples.end(), word.begin(), word.end());
    samples.insert(samples.end(), 8000, 0.0F);
  }
  const std::vector<Sound> parts = parted_by_silence({16000, samples});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_NEAR(parts[0].seconds(), 0.24, 0.01);
  EXPECT_NEAR(parts[1].seconds(), 0.54, 0.01);
  EXPECT_NEAR(parts[2].seconds(), 0.34, 0.01);
  EXPECT_TRUE(parted_by_silence({16000, std::vector<float>(5000)}).empty());
}

// Says all 3,600 of them, which takes some seconds.
TEST(Spoken, HoldsVoicesOut) {
  if (!fs::exists("/usr/bin/espeak-ng")) GTEST_SKIP() << "espeak-ng is not here";
  const TemporaryFolder folder;
  const std::string place = folder / "spoken";
  const DatasetPtr train = open_spoken({.split = "train", .folder = place});
  const DatasetPtr test = open_spoken({.split = "test", .folder = place});
  EXPECT_TRUE(spoken_is_there(place));
  EXPECT_EQ(train->size(), 2880);
  EXPECT_EQ(test->size(), 720);
  EXPECT_EQ(train->info().class_names.size(), 20U);
  std::vector<std::string> names;
  for (const FactorInfo& factor : train->info().factors) names.push_back(factor.name);
  ASSERT_THAT(names, ElementsAre("word", "voice", "speed", "pitch"));
  const auto voices = [](const Dataset& data) {
    std::set<int32_t> found;
    std::array<int32_t, 4> classes = {};
    for (int64_t i = 0; i < data.size(); ++i) {
      data.factors(i, classes);
      found.insert(classes[1]);
      EXPECT_EQ(data.info().factors[0].names[static_cast<size_t>(classes[0])],
                data.info().class_names[static_cast<size_t>(data.label(i))]);
    }
    return found;
  };
  const std::set<int32_t> heard = voices(*train);
  EXPECT_EQ(heard.size(), 16U);
  for (const int32_t voice : voices(*test)) EXPECT_FALSE(heard.contains(voice));
  for (int64_t i = 0; i < test->size(); i += 50) {
    EXPECT_GT(test->sound(i).seconds(), 0.1);
    EXPECT_LT(test->sound(i).seconds(), 2);
  }
}

}  // namespace
}  // namespace orthant
