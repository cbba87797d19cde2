#include "orthant/sounds/sound_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>

#include "orthant/data/loader.h"
#include "orthant/data/view_source.h"
#include "orthant/sound/encode.h"
#include "orthant/sources/open.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TemporaryFolder;
using test::tone;
using test::wav;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void put(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  fs::create_directories(fs::path(folder / name).parent_path());
  write_bytes(folder / name, bytes);
}

std::string flac(const Sound& sound) {
  const auto bytes = sound::encode_flac(sound);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> ids(const Dataset& dataset) {
  std::vector<std::string> all;
  for (int64_t i = 0; i < dataset.size(); ++i) all.push_back(dataset.id(i));
  return all;
}

// Four low tones and four high ones of different lengths and rates.
void put_tones(const TemporaryFolder& folder) {
  for (int k = 0; k < 4; ++k) {
    const auto rate = static_cast<uint32_t>(k % 2 == 0 ? 16000 : 44100);
    put(folder, "low/" + std::to_string(k) + ".wav", wav(tone(200 + 10 * k, 0.3 + 0.1 * k, rate), rate));
    put(folder, "high/" + std::to_string(k) + ".flac", flac({16000, tone(3000 + 100 * k, 0.6)}));
  }
}

TEST(SoundFolder, ClassesAreItsFoldersAndItemsAreHeardAndSeen) {
  const TemporaryFolder folder;
  put(folder, "dog/bark.WAV", wav(tone(300, 0.5)));
  put(folder, "cat/purr.flac", flac({8000, tone(90, 1, 8000)}));
  put(folder, "cat/notes.txt", "no sound");
  const auto dataset = open_sound_folder(folder.path(), {.split = "all"});
  EXPECT_THAT(ids(*dataset), ElementsAre("cat/purr.flac", "dog/bark.WAV"));
  EXPECT_THAT(dataset->info().class_names, ElementsAre("cat", "dog"));
  EXPECT_TRUE(dataset->info().sound);
  EXPECT_EQ(dataset->info().name, "audio:" + folder.path().string());
  EXPECT_EQ(dataset->sound(0).rate, 8000);
  EXPECT_NEAR(dataset->sound(1).seconds(), 0.5, 1e-6);
  const Image picture = dataset->image(1);
  EXPECT_EQ(picture.height, kSoundSide);
  EXPECT_EQ(picture.width, kSoundSide);
}

TEST(SoundFolder, LeavesOutWhatCannotBeHeardAndSaysWhy) {
  const TemporaryFolder folder;
  put(folder, "a/good.wav", wav(tone(300, 0.5)));
  put(folder, "a/text.wav", "this is a text");
  put(folder, "a/silent.wav", wav(std::vector<float>(1000)));
  put(folder, "a/none.wav", wav({}));
  put(folder, "a/cut.wav", wav(tone(300, 0.5)).substr(0, 1000));
  put(folder, "a/nan.wav", wav({0.5F, std::numeric_limits<float>::quiet_NaN()}));
  put(folder, "a/empty.mp3", "");
  put(folder, "a/song.m4a", "....");
  const auto dataset = open_sound_folder(folder.path(), {.split = "all"});
  EXPECT_THAT(ids(*dataset), ElementsAre("a/good.wav"));
  EXPECT_THAT(
      dataset->info().unreadable,
      ElementsAre(HasSubstr("a/cut.wav: expected a whole sound, got one that is cut off"),
                  "a/empty.mp3: expected a sound, got an empty file", HasSubstr("a/nan.wav: expected finite samples"),
                  "a/none.wav: expected a sound, got one of 0 seconds",
                  "a/silent.wav: expected a sound, got silence throughout",
                  HasSubstr("a/text.wav: expected a sound (WAV, FLAC, OGG, MP3), got something else")));
  EXPECT_THAT(dataset->info().other_kinds, ElementsAre(NamedCount{".m4a", 1}));
  EXPECT_THAT(message_of([&] { open_sound_folder(folder.path(), {.split = "all", .strict = true}); }),
              HasSubstr("expected nothing but readable sounds, got 6 that cannot be read"));
}

TEST(SoundFolder, RefusesAFolderWithoutSounds) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { open_sound_folder(folder.path()); }),
              HasSubstr("expected sounds that end in .wav, .flac, .ogg, .opus, .mp3, .aiff or .au, got none"));
  EXPECT_THAT(message_of([&] { open_dataset("audio:" + (folder / "nowhere")); }),
              HasSubstr("expected a folder, got nothing there"));
}

TEST(SoundFolder, TakesATableOfLabels) {
  const TemporaryFolder folder;
  put(folder, "1.wav", wav(tone(300, 0.5)));
  put(folder, "2.wav", wav(tone(600, 0.5)));
  put(folder, "labels.csv", "file,label,pitch\n1.wav,low,300\n2.wav,high,600\n");
  const auto dataset = open_dataset("audio:" + folder.path().string() + ",labels=labels.csv", {.split = "all"});
  EXPECT_THAT(dataset->info().class_names, ElementsAre("high", "low"));
  ASSERT_EQ(dataset->info().factors.size(), 1U);
  EXPECT_EQ(dataset->info().factors[0].name, "pitch");
  EXPECT_THAT(message_of([&] {
                put(folder, "labels.csv", "file,label,pitch\n1.wav,low,300\n1.wav,high,600\n");
                open_dataset("audio:" + folder.path().string() + ",labels=labels.csv", {.split = "all"});
              }),
              HasSubstr("expected each sound once"));
}

TEST(SoundFolder, CannotBeCorrupted) {
  const TemporaryFolder folder;
  put_tones(folder);
  EXPECT_THAT(message_of([&] { open_dataset("audio:" + folder.path().string(), {.corrupt = "fog:3"}); }),
              HasSubstr("expected pictures to corrupt, got sounds"));
}

TEST(SoundLengthsOfAFolder, AreThoseOfItsSounds) {
  const TemporaryFolder folder;
  put_tones(folder);
  const SoundLengths lengths = sound_lengths(*open_sound_folder(folder.path(), {.split = "all"}), 100);
  EXPECT_EQ(lengths.looked_at, 8);
  EXPECT_NEAR(lengths.shortest, 0.3, 1e-3);
  EXPECT_NEAR(lengths.longest, 0.6, 1e-3);
}

ViewOptions sound_views() {
  ViewOptions views = view_preset("simclr", 32);
  views.channels = 1;
  views.sound.seconds = 0.5;
  return views;
}

std::vector<float> epoch_of(const DatasetPtr& dataset, int threads, int64_t cache_bytes) {
  LoaderOptions options;
  options.batch = 4;
  options.threads = threads;
  options.cache_bytes = cache_bytes;
  Loader loader(dataset, sound_views(), options);
  std::vector<float> all;
  loader.start_epoch(1);
  while (const Batch* batch = loader.next()) all.insert(all.end(), batch->values.begin(), batch->values.end());
  return all;
}

TEST(SoundLoader, ViewsDoNotDependOnThreadsNorTheCache) {
  const TemporaryFolder folder;
  put_tones(folder);
  const auto dataset = open_sound_folder(folder.path(), {.split = "all"});
  const std::vector<float> one = epoch_of(dataset, 1, 1 << 20);
  EXPECT_EQ(one.size(), 2U * 8 * 32 * 32);
  EXPECT_EQ(epoch_of(dataset, 3, 1 << 20), one);
  EXPECT_EQ(epoch_of(dataset, 2, 0), one);
}

TEST(SoundLoader, RefusesViewsOfPictures) {
  const TemporaryFolder folder;
  put_tones(folder);
  const auto dataset = open_sound_folder(folder.path(), {.split = "all"});
  EXPECT_THAT(message_of([&] { Loader(dataset, view_preset("simclr", 32), {.batch = 4}); }),
              HasSubstr("expected views of sounds, got those of pictures"));
}

}  // namespace
}  // namespace orthant
