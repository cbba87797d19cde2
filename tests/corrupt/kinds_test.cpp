// What each kind of corruption does to a picture, by statistics where chance rules.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/corrupt/pictures.h"

namespace orthant {
namespace {

using test::corrupted;
using test::mean;
using test::scene;

// Of corrupted plain pictures, pooled over several items.
struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const std::string& what, uint8_t level) {
  double sum = 0, squares = 0, count = 0;
  for (int64_t item = 0; item < 20; ++item) {
    for (const uint8_t value : corrupted(Image(32, 32, 3, level), what, item).pixels) {
      sum += value;
      squares += static_cast<double>(value) * value;
      ++count;
    }
  }
  return {sum / count, std::sqrt(squares / count - sum * sum / count / count)};
}

// Truncation takes half a level off the mean.
TEST(CorruptNoise, GaussianHasTheTablesDeviation) {
  for (const auto& [what, sigma] : {std::pair{"gaussian_noise:1", 0.04}, {"gaussian_noise:5", 0.10}}) {
    const Moments got = moments(what, 128);
    EXPECT_NEAR(got.deviation, 255 * sigma, 0.3) << what;
    EXPECT_NEAR(got.mean, 127.5, 0.4) << what;
  }
}

TEST(CorruptNoise, ShotHasPoissonsDeviation) {
  for (const auto& [what, photons] :
       {std::pair{"shot_noise:1", 500.0}, {"shot_noise:3", 100.0}, {"shot_noise:5", 50.0}}) {
    for (const uint8_t level : {uint8_t{40}, uint8_t{128}}) {
      const Moments got = moments(what, level);
      EXPECT_NEAR(got.deviation, 255 * std::sqrt(level / 255.0 / photons), 0.4) << what;
      EXPECT_NEAR(got.mean, level - 0.5, 0.5) << what;
    }
  }
}

TEST(CorruptNoise, ShotLeavesBlackBlack) { EXPECT_EQ(corrupted(Image(8, 8, 3), "shot_noise:5"), Image(8, 8, 3)); }

TEST(CorruptNoise, SpeckleIsInProportionToBrightness) {
  EXPECT_NEAR(moments("speckle_noise:3", 100).deviation, 12, 0.4);
  EXPECT_NEAR(moments("speckle_noise:3", 50).deviation, 6, 0.3);
}

TEST(CorruptNoise, ImpulsesAreTheTablesShareHalfBlackHalfWhite) {
  double salt = 0, pepper = 0, all = 0;
  for (int64_t item = 0; item < 40; ++item) {
    for (const uint8_t value : corrupted(Image(32, 32, 3, 128), "impulse_noise:5", item).pixels) {
      ASSERT_TRUE(value == 0 || value == 128 || value == 255);
      salt += value == 255;
      pepper += value == 0;
      ++all;
    }
  }
  EXPECT_NEAR(salt / all, 0.035, 0.003);
  EXPECT_NEAR(pepper / all, 0.035, 0.003);
}

// Mean square of the steps between a pixel and its right neighbour.
double roughness(const Image& image) {
  double sum = 0;
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 1; x < image.width; ++x) sum += std::pow(image.at(y, x)[0] - image.at(y, x - 1)[0], 2);
  }
  return sum / static_cast<double>(image.height * (image.width - 1));
}

TEST(CorruptBlur, BlursKeepTheMeanAndSmoothTheRest) {
  // The largest share of its roughness that a picture may keep. Glass shuffles pixels first, so a slight one roughens.
  const std::map<std::string, double> most = {
      {"defocus_blur:1", 0.95}, {"defocus_blur:5", 0.5},  {"motion_blur:1", 0.8},
      {"motion_blur:5", 0.5},   {"zoom_blur:1", 0.9},     {"zoom_blur:5", 0.6},
      {"gaussian_blur:1", 0.9}, {"gaussian_blur:5", 0.4}, {"glass_blur:5", 0.9}};
  for (const auto& [what, share] : most) {
    double shift = 0, before = 0, after = 0;
    for (int item = 0; item < 20; ++item) {
      const Image image = scene(32, 32, 3, item);
      const Image blurred = corrupted(image, what, item);
      shift += mean(blurred) - mean(image);
      before += roughness(image);
      after += roughness(blurred);
    }
    EXPECT_NEAR(shift / 20, -0.4, 1.5) << what;
    EXPECT_LT(after, share * before) << what;
    EXPECT_GT(after, 0.02 * before) << what;
  }
}

TEST(CorruptBlur, GlassCopiesPixelsFromNearby) {
  Image image(32, 32, 1);
  for (int64_t y = 0; y < 32; ++y) {
    for (int64_t x = 0; x < 32; ++x) image.at(y, x)[0] = static_cast<uint8_t>(7 * (y / 4) + x / 4);
  }
  const Image got = corrupted(image, "glass_blur:1");  // a Gaussian of 0.05 pixels is none
  const std::set<uint8_t> levels(image.pixels.begin(), image.pixels.end());
  for (const uint8_t level : got.pixels) EXPECT_TRUE(levels.contains(level));
  EXPECT_NE(got, image);
  for (int64_t i = 0; i < 32; ++i) {  // the first two rows and columns stay
    EXPECT_EQ(got.at(0, i)[0], image.at(0, i)[0]);
    EXPECT_EQ(got.at(1, i)[0], image.at(1, i)[0]);
    EXPECT_EQ(got.at(i, 1)[0], image.at(i, 1)[0]);
  }
}

TEST(CorruptWeather, SnowFrostAndFogBrightenADarkPicture) {
  for (const char* name : {"snow", "frost", "fog"}) {
    double darkest = 255;
    for (int64_t item = 0; item < 10; ++item) {
      Image dark(32, 32, 3, 40);
      dark.at(0, 0)[0] = 255;  // fog looks at the brightest pixel
      darkest = std::min(darkest, mean(corrupted(dark, name + std::string(":3"), item)));
    }
    EXPECT_GT(darkest, 45) << name;
  }
}

TEST(CorruptWeather, FogNeverExceedsTheBrightestPixel) {
  const Image image = scene(32, 32, 3);
  const uint8_t brightest = *std::ranges::max_element(image.pixels);
  for (int64_t item = 0; item < 10; ++item) {
    for (const uint8_t level : corrupted(image, "fog:5", item).pixels) ASSERT_LE(level, brightest);
  }
}

TEST(CorruptWeather, SnowIsTheSameTurnedByHalfOnAPlainPicture) {
  const Image got = corrupted(Image(32, 32, 1, 90), "snow:4");
  for (size_t i = 0; i < got.pixels.size(); ++i) ASSERT_EQ(got.pixels[i], got.pixels[got.pixels.size() - 1 - i]);
}

TEST(CorruptWeather, SpatterCoversItsShare) {
  const Image white(64, 64, 1, 255);
  double covered = 0;
  for (const uint8_t level : corrupted(white, "spatter:5").pixels) covered += level < 255;
  EXPECT_NEAR(covered / 4096, 0.35, 0.01);
}

TEST(CorruptColour, SaturateLeavesGreyPicturesAlone) {
  const Image grey = scene(32, 32, 1);
  for (const char* what : {"saturate:1", "saturate:5"}) EXPECT_EQ(corrupted(grey, what), grey);
}

TEST(CorruptColour, BrightnessOfBlackIsGrey) {
  EXPECT_EQ(corrupted(Image(2, 2, 3), "brightness:4"), Image(2, 2, 3, 51));
}

TEST(CorruptDigital, ElasticOfAPlainPictureIsPlain) {
  for (const char* what : {"elastic:1", "elastic:2", "elastic:5"}) {
    EXPECT_EQ(corrupted(Image(32, 32, 3, 200), what), Image(32, 32, 3, 200)) << what;
  }
}

TEST(CorruptDrawing, SketchOfAPlainPictureIsBlankPaper) {
  EXPECT_EQ(corrupted(Image(32, 32, 3, 90), "sketch:5"), Image(32, 32, 3, 255));
}

TEST(CorruptDrawing, SketchDrawsTheOutlineDarkOnWhite) {
  Image square(32, 32, 3, 230);
  for (int64_t y = 10; y < 22; ++y) {
    for (int64_t x = 10; x < 22; ++x) {
      for (uint8_t& level : square.at(y, x)) level = 30;
    }
  }
  const Image got = corrupted(square, "sketch:5");
  EXPECT_EQ(got.at(16, 16)[0], 255);
  EXPECT_EQ(got.at(2, 2)[0], 255);
  EXPECT_LT(got.at(16, 10)[1], 60);
  EXPECT_LT(got.at(21, 16)[2], 60);
}

// Dark stays dark and light stays light, whatever the palette.
TEST(CorruptStyle, StylisedKeepsShape) {
  Image halves(32, 32, 3, 30);
  for (int64_t y = 0; y < 32; ++y) {
    for (int64_t x = 16; x < 32; ++x) {
      for (uint8_t& level : halves.at(y, x)) level = 225;
    }
  }
  for (int64_t item = 0; item < 20; ++item) {
    const Image got = corrupted(halves, "stylised:5", item);
    double left = 0, right = 0;
    for (int64_t y = 0; y < 32; ++y) {
      for (int64_t x = 0; x < 32; ++x) {
        for (const uint8_t level : got.at(y, x)) (x < 16 ? left : right) += level;
      }
    }
    EXPECT_GT(right, 1.3 * left) << item;
  }
}

}  // namespace
}  // namespace orthant
