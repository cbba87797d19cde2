#include "orthant/views/sound_view.h"

#include <gmock/gmock.h>

#include <numeric>

#include "orthant/views/view.h"
#include "tests/support/message_of.h"

namespace orthant::views {
namespace {

using test::message_of;
using ::testing::Each;
using ::testing::HasSubstr;

// Views of 0.16 seconds, so that a column is a frame, whose values are levels.
ViewOptions options(const SoundViewOptions& how = kPlainSoundViews) {
  ViewOptions views = view_preset("eval", 16);
  views.channels = 1;
  views.sound.seconds = 0.16;
  views.sound_views = how;
  views.set_mean({0, 0, 0});
  views.set_std({1.0 / 255, 1, 1});
  return views;
}

// Every frame has its own level, the same in all bands.
Image ramp(int64_t frames) {
  Image picture(16, frames, 1);
  for (int64_t y = 0; y < 16; ++y) {
    for (int64_t x = 0; x < frames; ++x) picture.at(y, x)[0] = static_cast<uint8_t>(1 + x % 200);
  }
  return picture;
}

std::vector<float> made(const Image& picture, const ViewOptions& views, StreamKey key = {}) {
  std::vector<float> out(static_cast<size_t>(views.view_size()));
  ViewScratch scratch;
  const ViewMaker maker(views);
  maker(picture, key, scratch, out);
  return out;
}

std::vector<float> made(const Image& picture, const ViewOptions& views, const SoundViewParameters& parameters) {
  std::vector<float> out(static_cast<size_t>(views.view_size()));
  AlignedBuffer scratch;
  Rng rng(1);
  make_sound_view(picture, views, parameters, rng, scratch, out);
  return out;
}

TEST(SoundView, OfTheSameLengthIsThePicture) {
  const Image picture = ramp(16);
  const std::vector<float> view = made(picture, options());
  for (size_t i = 0; i < view.size(); ++i) EXPECT_FLOAT_EQ(view[i], picture.pixels[i]);
}

TEST(SoundView, ShowsAShortSoundInTheMiddle) {
  const std::vector<float> view = made(ramp(6), options());
  EXPECT_EQ(view[4], 0);
  EXPECT_FLOAT_EQ(view[5], 1);
  EXPECT_FLOAT_EQ(view[10], 6);
  EXPECT_EQ(view[11], 0);
}

TEST(SoundView, ShowsTheLoudestPartOfALongSound) {
  Image picture(16, 100, 1, 5);
  for (int64_t y = 0; y < 16; ++y) picture.at(y, 70)[0] = picture.at(y, 85)[0] = 200;
  const std::vector<float> view = made(picture, options());
  EXPECT_FLOAT_EQ(view[0], 200);
  EXPECT_FLOAT_EQ(view[15], 200);
  EXPECT_FLOAT_EQ(view[8], 5);
}

TEST(SoundView, AveragesFramesWhereThereAreMore) {
  ViewOptions views = options();
  views.sound.seconds = 0.32;
  const std::vector<float> view = made(ramp(32), views);
  for (size_t x = 0; x < 16; ++x) EXPECT_FLOAT_EQ(view[x], 1.5F + 2 * static_cast<float>(x));
}

TEST(SoundView, PitchMovesBandsAndNothingElse) {
  Image picture(16, 16, 1);
  for (int64_t x = 0; x < 16; ++x) picture.at(8, x)[0] = 100;
  const ViewOptions views = options();
  const auto centre = [&](double pitch) {
    const std::vector<float> view = made(picture, views, {.begin = 0, .frames = 16, .pitch = pitch});
    double sum = 0;
    double all = 0;
    for (size_t y = 0; y < 16; ++y) {
      sum += static_cast<double>(y) * view[y * 16];
      all += view[y * 16];
    }
    return sum / all;
  };
  EXPECT_DOUBLE_EQ(centre(1), 8);
  EXPECT_LT(centre(1.15), 7.7);
  EXPECT_GT(centre(1 / 1.15), 8.3);
}

TEST(SoundView, MasksAreTheMeanOfTheData) {
  ViewOptions views = options();
  views.set_mean({0.25, 0, 0});
  const std::vector<float> view =
      made(ramp(16), views, {.begin = 0, .frames = 16, .bands = {2, 4}, .columns = {10, 12}});
  for (size_t y = 0; y < 16; ++y) {
    for (size_t x = 0; x < 16; ++x) {
      const bool masked = (y >= 2 && y < 4) || (x >= 10 && x < 12);
      EXPECT_EQ(view[y * 16 + x] == 0, masked) << y << " " << x;
    }
  }
}

TEST(SoundView, GainIsAStraightLineOverTheBandsAndLeavesSilence) {
  Image picture(16, 16, 1, 100);
  for (int64_t y = 0; y < 16; ++y) picture.at(y, 0)[0] = 0;
  const std::vector<float> view =
      made(picture, options(), {.begin = 0, .frames = 16, .gain_low = -10, .gain_high = 20});
  EXPECT_FLOAT_EQ(view[15 * 16 + 5], 90);
  EXPECT_FLOAT_EQ(view[5], 120);
  EXPECT_EQ(view[0], 0);
}

TEST(SoundView, NoiseAddsAsPowerDoes) {
  const double per_db = 255.0 / 80;
  const Image silence(16, 16, 1);
  const Image loud(16, 16, 1, 250);
  const SoundViewParameters noisy{.begin = 0, .frames = 16, .noise = 100};
  const std::vector<float> alone = made(silence, options(), noisy);
  // The mean power of the grains is that of the noise.
  double power = 0;
  for (const float level : alone) power += std::pow(10, level / per_db / 10);
  EXPECT_NEAR(per_db * 10 * std::log10(power / static_cast<double>(alone.size())), 100, 6);
  EXPECT_THAT(made(loud, options(), noisy), Each(::testing::FloatNear(250, 0.2F)));
}

TEST(SoundView, DependsOnItsKeyAlone) {
  const ViewOptions views = options(SoundViewOptions{});
  const Image picture = ramp(40);
  const StreamKey key{.seed = 3, .epoch = 2, .sample = 7, .view = 1};
  EXPECT_EQ(made(picture, views, key), made(picture, views, key));
  EXPECT_NE(made(picture, views, key), made(picture, views, {.seed = 3, .epoch = 2, .sample = 7, .view = 0}));
}

TEST(SoundView, ChoicesStayWithinTheirStrengths) {
  const ViewOptions views = options(SoundViewOptions{});
  const SoundViewOptions& o = views.sound_views;
  const Image picture = ramp(40);
  int noisy = 0;
  for (uint64_t k = 0; k < 1000; ++k) {
    Rng rng(StreamKey{.seed = 1, .sample = k});
    const SoundViewParameters p = sample_sound(picture, views, rng);
    EXPECT_GE(p.frames, 16 / (1 + o.speed) - 1e-9);
    EXPECT_LE(p.frames, 16 * (1 + o.speed) + 1e-9);
    EXPECT_GE(p.begin, -o.shift * p.frames - 1e-9);
    EXPECT_LE(p.begin + p.frames, 40 + o.shift * p.frames + 1e-9);
    EXPECT_GE(p.pitch, 1 / (1 + o.pitch) - 1e-9);
    EXPECT_LE(p.pitch, 1 + o.pitch + 1e-9);
    EXPECT_LE(p.bands.end - p.bands.begin, 4);
    EXPECT_LE(p.bands.end, 16);
    EXPECT_GE(p.columns.begin, 0);
    noisy += p.noise > 0 ? 1 : 0;
  }
  EXPECT_NEAR(noisy, 500, 60);
}

TEST(SoundView, IsFiniteForEveryLength) {
  ViewOptions views = options(SoundViewOptions{});
  views.channels = 3;
  for (const int64_t frames : {1, 2, 15, 16, 17, 3000}) {
    for (const float value : made(ramp(frames), views, {.seed = 1})) ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(SoundView, RefusesOtherPictures) {
  EXPECT_THAT(message_of([] { made(Image(15, 16, 1), options()); }),
              HasSubstr("expected a spectrogram of 16 bands, got 15 x 16 x 1"));
  ViewOptions wrong = options();
  wrong.sound.high = 9000;
  EXPECT_THAT(message_of([&] { wrong.validate(); }),
              HasSubstr("[sound] expected low < high <= half of rate, got 60, 9000 and 16000"));
}

}  // namespace
}  // namespace orthant::views
