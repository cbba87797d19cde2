#include "orthant/sound/spectrogram.h"

#include <gmock/gmock.h>

#include "orthant/core/threads.h"
#include "orthant/io/npy.h"
#include "orthant/sound/decode.h"
#include "tests/support/message_of.h"
#include "tests/support/wav.h"

namespace orthant::sound {
namespace {

using test::message_of;
using test::tone;
using ::testing::HasSubstr;

TEST(Spectrogram, IsThatOfNumpy) {
  const Image picture = spectrogram(read(ORTHANT_GOLDEN_DIR "/sound/voice.wav"), {}, 64);
  const Matrix expected = io::read_npy_matrix(ORTHANT_GOLDEN_DIR "/sound/voice.npy");
  ASSERT_EQ(picture.height, expected.rows());
  ASSERT_EQ(picture.width, expected.cols());
  for (int64_t y = 0; y < picture.height; ++y) {
    for (int64_t x = 0; x < picture.width; ++x) {
      ASSERT_NEAR(picture.at(y, x)[0], expected(y, x), 0.51) << "row " << y << " frame " << x;
    }
  }
}

int64_t brightest_row(const Image& picture, int64_t frame) {
  int64_t best = 0;
  for (int64_t y = 0; y < picture.height; ++y) {
    if (picture.at(y, frame)[0] > picture.at(best, frame)[0]) best = y;
  }
  return best;
}

TEST(Spectrogram, HigherTonesAreHigherUp) {
  int64_t before = 64;
  for (const double hz : {200.0, 500.0, 1200.0, 3000.0, 7000.0}) {
    const Image picture = spectrogram({16000, tone(hz, 0.3)}, {}, 64);
    EXPECT_EQ(picture.width, 30);
    const int64_t row = brightest_row(picture, 15);
    EXPECT_LT(row, before) << hz;
    before = row;
  }
}

TEST(Spectrogram, DoesNotDependOnLoudnessNorRate) {
  Sound quiet{16000, tone(900, 0.3)};
  const Image loud = spectrogram(quiet, {}, 64);
  for (float& sample : quiet.samples) sample *= 0.01F;
  EXPECT_EQ(spectrogram(quiet, {}, 64), loud);
  const Image other = spectrogram({44100, tone(900, 0.3, 44100)}, {}, 64);
  ASSERT_EQ(other.width, loud.width);
  EXPECT_EQ(brightest_row(other, 15), brightest_row(loud, 15));
}

TEST(Spectrogram, OfOneSampleHasAFrame) {
  const Image picture = spectrogram({16000, {0.5F}}, {}, 32);
  EXPECT_EQ(picture.width, 1);
  EXPECT_EQ(picture.height, 32);
}

TEST(Spectrogram, OfSilenceIsBlack) {
  for (const uint8_t level : spectrogram({16000, std::vector<float>(4000)}, {}, 64).pixels) EXPECT_EQ(level, 0);
}

TEST(Spectrogram, IsTheSameFromSeveralThreads) {
  const Sound sound = read(ORTHANT_GOLDEN_DIR "/sound/voice.wav");
  const Image alone = spectrogram(sound, {}, 64);
  std::vector<Image> all(32);
  parallel_for(32, 1, 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) all[static_cast<size_t>(i)] = spectrogram(sound, {}, 64);
  });
  for (const Image& picture : all) EXPECT_EQ(picture, alone);
}

TEST(Spectrogram, RefusesMoreBandsThanThereAreFrequencies) {
  EXPECT_THAT(message_of([] {
                spectrogram({16000, tone(440, 0.1)}, {}, 2000);
              }),
              HasSubstr("expected fewer bands for a window of 0.025 seconds, got 2000"));
  EXPECT_THAT(message_of([] { spectrogram({16000, {}}, {}, 64); }), HasSubstr("got none"));
}

TEST(Spectrogram, EverySizeThatIsOfferedHasItsBands) {
  for (const int64_t bands : {8, 32, 64, 96, 128}) {
    EXPECT_EQ(spectrogram({16000, tone(440, 0.1)}, {}, bands).height, bands);
  }
}

TEST(SoundPicture, ShowsAnyLengthInASquare) {
  for (const double seconds : {0.001, 0.5, 20.0}) {
    const Image picture = sound_picture({16000, tone(1000, seconds)}, 64);
    EXPECT_EQ(picture.height, 64);
    EXPECT_EQ(picture.width, 64);
    EXPECT_EQ(picture.channels, 1);
  }
}

}  // namespace
}  // namespace orthant::sound
