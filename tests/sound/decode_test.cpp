#include "orthant/sound/decode.h"

#include <gmock/gmock.h>

#include <limits>

#include "orthant/io/npy.h"
#include "orthant/sound/encode.h"
#include "orthant/sound/resample.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace orthant::sound {
namespace {

using test::message_of;
using test::tone;
using test::wav;
using ::testing::HasSubstr;

Sound decoded(const std::string& bytes) { return decode(std::as_bytes(std::span(bytes)), "a.wav"); }
std::string refused(const std::string& bytes) {
  return message_of([&] { decoded(bytes); });
}

TEST(SoundDecode, GivesTheSamplesOfAFile) {
  const Sound sound = decoded(wav({0.5F, -0.25F, 1.5F}, 8000));
  EXPECT_EQ(sound.rate, 8000);
  EXPECT_THAT(sound.samples, ::testing::ElementsAre(0.5F, -0.25F, 1.5F));
}

TEST(SoundDecode, AveragesChannels) {
  EXPECT_THAT(decoded(wav({0.5F, 0.25F, -1, 1, 0, 0.5F}, 16000, 2)).samples, ::testing::ElementsAre(0.375F, 0, 0.25F));
  EXPECT_THAT(decoded(wav({0.6F, 0.3F, 0}, 16000, 3)).samples, ::testing::ElementsAre(::testing::FloatEq(0.3F)));
}

TEST(SoundDecode, ReadsWhatItEncodes) {
  const Sound sound{16000, tone(440, 0.5)};
  const Sound flac = decode(encode_flac(sound), "a.flac");
  ASSERT_EQ(flac.samples.size(), sound.samples.size());
  for (size_t i = 0; i < flac.samples.size(); ++i) ASSERT_NEAR(flac.samples[i], sound.samples[i], 1e-4);
  const std::vector<std::byte> mp3 = encode_mp3(sound);
  EXPECT_LT(mp3.size(), 8000U);
  EXPECT_TRUE(looks_like_sound(mp3));
  EXPECT_NEAR(decode(mp3, "a.mp3").seconds(), 0.5, 0.2);
}

TEST(SoundDecode, MixesAndResamplesAsScipy) {
  const Sound sound = resampled(read(ORTHANT_GOLDEN_DIR "/sound/stereo.wav"), 16000);
  const Matrix expected = io::read_npy_matrix(ORTHANT_GOLDEN_DIR "/sound/stereo.npy");
  ASSERT_NEAR(static_cast<double>(sound.samples.size()), static_cast<double>(expected.cols()), 1);
  const auto values = expected.row(0);
  // At the ends both make up samples of their own.
  for (size_t i = 200; i + 200 < values.size(); ++i) ASSERT_NEAR(sound.samples[i], values[i], 2e-3) << i;
}

TEST(SoundDecode, RefusesWhatIsNoSound) {
  EXPECT_EQ(refused(""), "[a.wav] expected a sound, got an empty file");
  EXPECT_THAT(refused("This is a text, whatever it is called.\n"),
              HasSubstr("expected a sound (WAV, FLAC, OGG, MP3), got something else: "));
  EXPECT_THAT(refused(std::string(5000, '\0')), HasSubstr("got something else"));
  EXPECT_EQ(refused(wav({})), "[a.wav] expected a sound, got one of 0 seconds");
}

TEST(SoundDecode, RefusesSilence) {
  EXPECT_EQ(refused(wav(std::vector<float>(1000))), "[a.wav] expected a sound, got silence throughout");
}

TEST(SoundDecode, RefusesSamplesThatAreNoNumbers) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> samples = tone(440, 0.1);
    samples[700] = bad;
    EXPECT_THAT(refused(wav(samples)), HasSubstr("expected finite samples, got others"));
  }
}

TEST(SoundDecode, RefusesWhatIsCutOff) {
  const std::string whole = wav(tone(440, 0.5));
  EXPECT_EQ(refused(whole.substr(0, whole.size() - 400)),
            "[a.wav] expected a whole sound, got one that is cut off: 400 bytes are missing at its end");
  std::vector<std::byte> flac = encode_flac({16000, tone(440, 2)});
  flac.resize(flac.size() / 2);
  EXPECT_THAT(message_of([&] { decode(flac, "a.flac"); }), HasSubstr("expected a whole sound, got "));
  for (size_t size = 0; size < 60; ++size) EXPECT_FALSE(refused(whole.substr(0, size)).empty()) << size;
}

// A pipe does not know how long it will be.
TEST(SoundDecode, TakesAFileThatPromisesNoLength) {
  std::string bytes = wav({0.5F, 0.25F});
  for (const size_t at : {size_t{4}, size_t{40}}) bytes.replace(at, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(decoded(bytes).samples.size(), 2U);
}

TEST(SoundDecode, RefusesRatesAndChannelsBeyondReason) {
  EXPECT_THAT(refused(wav({0.5F}, 10)), HasSubstr("expected 1000 to 768000 samples a second, got 10"));
  EXPECT_THAT(refused(wav(std::vector<float>(200, 0.5F), 16000, 200)), HasSubstr("expected 1 to 64 channels, got 200"));
}

TEST(SoundResample, KeepsToneAndLength) {
  for (const uint32_t rate : {8000U, 22050U, 44100U, 48000U}) {
    const Sound sound = resampled({rate, tone(440, 0.5, rate)}, 16000);
    EXPECT_EQ(sound.rate, 16000);
    EXPECT_NEAR(sound.seconds(), 0.5, 1e-3);
    const std::vector<float> expected = tone(440, 0.5);
    for (size_t i = 500; i < 7500; ++i) ASSERT_NEAR(sound.samples[i], expected[i], 5e-3) << rate << " " << i;
  }
  const Sound same{16000, tone(440, 0.1)};
  EXPECT_EQ(resampled(same, 16000), same);
  EXPECT_EQ(resampled({48000, {0.5F}}, 1000).samples.size(), 1U);
}

TEST(SoundResample, LeavesNoTraceOfWhatTheRateCannotHold) {
  const Sound sound = resampled({48000, tone(12000, 0.5, 48000)}, 16000);
  for (size_t i = 500; i < 7500; ++i) ASSERT_LT(std::abs(sound.samples[i]), 0.01F) << i;
}

TEST(SoundDecode, KnowsSoundsByTheirBeginning) {
  const auto looks = [](const std::string& bytes) { return looks_like_sound(std::as_bytes(std::span(bytes))); };
  EXPECT_TRUE(looks(wav({0.5F})));
  EXPECT_TRUE(looks("fLaC...."));
  EXPECT_TRUE(looks("OggS...."));
  EXPECT_FALSE(looks("\x89PNG\r\n\x1a\n"));
  EXPECT_FALSE(looks("\xff\xd8\xff\xe0 JPEG"));
  EXPECT_FALSE(looks(""));
}

}  // namespace
}  // namespace orthant::sound
