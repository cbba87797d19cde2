#include "orthant/sources/sprites.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "orthant/core/embeddings.h"
#include "orthant/core/threads.h"
#include "orthant/sources/sprite_paint.h"
#include "orthant/sources/sprite_shapes.h"
#include "tests/data/fake_dataset.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int32_t> factors_of(const Dataset& dataset, int64_t i) {
  std::vector<int32_t> classes(dataset.info().factors.size());
  dataset.factors(i, classes);
  return classes;
}

TEST(Sprites, HasSixteenNamedClassesAndNineFactors) {
  const auto sprites = make_sprites();
  EXPECT_EQ(sprites->size(), 50'000);
  EXPECT_EQ(make_sprites({.split = "test"})->size(), 10'000);
  const auto& names = sprites->info().class_names;
  EXPECT_EQ(names.size(), 16);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 16);
  std::vector<std::string> factors;
  for (const FactorInfo& factor : sprites->info().factors) {
    factors.push_back(factor.name);
    EXPECT_GE(factor.values.size(), 3) << factor.name;
    EXPECT_TRUE(factor.names.empty() || factor.names.size() == factor.values.size()) << factor.name;
  }
  EXPECT_THAT(factors, ElementsAre("shape", "colour", "size", "rotation", "position_x", "position_y", "texture",
                                   "background", "noise"));
  std::vector<float> periods;
  for (const FactorInfo& factor : sprites->info().factors) periods.push_back(factor.period);
  EXPECT_THAT(periods, ElementsAre(0, 360, kLinePeriod, kLinePeriod, kLinePeriod, kLinePeriod, 0, 0, kLinePeriod));
}

// The factors of recorded runs are found again only if these never change.
TEST(Sprites, KeepsItsFactorsForever) {
  const auto sprites = make_sprites();
  EXPECT_THAT(factors_of(*sprites, 0), ElementsAre(6, 7, 2, 3, 4, 2, 2, 3, 0));
  EXPECT_THAT(factors_of(*sprites, 49'999), ElementsAre(10, 0, 2, 0, 2, 4, 1, 0, 0));
  EXPECT_THAT(factors_of(*make_sprites({.split = "test", .seed = 7}), 123), ElementsAre(2, 1, 3, 6, 2, 0, 1, 3, 1));
}

TEST(Sprites, LabelIsTheShape) {
  const auto sprites = make_sprites({.size = 200});
  for (int64_t i = 0; i < 200; ++i) EXPECT_EQ(sprites->label(i), factors_of(*sprites, i)[0]);
}

TEST(Sprites, PaintsTheSameFromAnyNumberOfThreads) {
  constexpr int64_t kCount = 300;
  const auto sprites = make_sprites({.size = kCount});
  std::vector<Image> one(kCount), four(kCount);
  parallel_for(kCount, 7, 1, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) one[static_cast<size_t>(i)] = sprites->image(i);
  });
  parallel_for(kCount, 7, 4, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) four[static_cast<size_t>(i)] = sprites->image(i);
  });
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].pixels, four[i].pixels) << i;
}

TEST(Sprites, SizeDoesNotChangeThePictures) {
  EXPECT_EQ(make_sprites({.size = 10})->image(9), make_sprites({.size = 1'000'000})->image(9));
}

TEST(Sprites, SplitsAndSeedsShareNoPicture) {
  std::set<std::string> seen;
  for (const char* split : {"train", "test"}) {
    for (const uint64_t seed : {uint64_t{0}, uint64_t{1}}) {
      const auto sprites = make_sprites({.size = 500, .split = split, .seed = seed});
      for (int64_t i = 0; i < 500; ++i) {
        const Image image = sprites->image(i);
        seen.emplace(image.pixels.begin(), image.pixels.end());
      }
    }
  }
  EXPECT_EQ(seen.size(), 2000);
}

// Pearson's chi-square for each pair of factors: under independence its mean is the degrees of freedom and its variance
// twice that, so six deviations are never reached by chance.
TEST(Sprites, FactorsAreUniformAndIndependent) {
  constexpr int64_t kCount = 40'000;
  const auto sprites = make_sprites({.size = kCount});
  const auto& infos = sprites->info().factors;
  std::vector<std::vector<int32_t>> rows;
  for (int64_t i = 0; i < kCount; ++i) rows.push_back(factors_of(*sprites, i));
  for (size_t a = 0; a < infos.size(); ++a) {
    for (size_t b = a; b < infos.size(); ++b) {
      const size_t size_a = infos[a].values.size();
      const size_t size_b = a == b ? 1 : infos[b].values.size();
      std::vector<double> counts(size_a * size_b);
      for (const auto& row : rows)
        ++counts[static_cast<size_t>(row[a]) * size_b + (a == b ? 0 : static_cast<size_t>(row[b]))];
      const double expected = static_cast<double>(kCount) / static_cast<double>(counts.size());
      double chi_square = 0;
      for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
      const auto freedom = static_cast<double>(counts.size() - 1);
      EXPECT_NEAR(chi_square, freedom, 6 * std::sqrt(2 * freedom)) << infos[a].name << " " << infos[b].name;
    }
  }
}

TEST(Sprites, FiguresStandOutFromTheirGround) {
  const auto sprites = make_sprites({.size = 400});
  for (int64_t i = 0; i < 400; ++i) {
    const Image image = sprites->image(i);
    const auto corner = image.at(0, 0);
    int distinct = 0;
    for (int64_t y = 0; y < 32; ++y) {
      for (int64_t x = 0; x < 32; ++x) {
        const auto pixel = image.at(y, x);
        int distance = 0;
        for (size_t c = 0; c < 3; ++c) distance += std::abs(int{pixel[c]} - int{corner[c]});
        distinct += distance > 90;
      }
    }
    EXPECT_GT(distinct, 30) << i;
    EXPECT_LT(distinct, 900) << i;
  }
}

TEST(Sprites, TheMaskIsWhereTheFigureIs) {
  const auto sprites = make_sprites({.split = "test"});
  for (const int64_t i : {0, 3, 11}) {
    const Image mask = sprite_mask({.split = "test"}, i);
    ASSERT_EQ(mask.channels, 1);
    double covered = 0;
    for (const uint8_t pixel : mask.pixels) covered += pixel / 255.0;
    EXPECT_GT(covered, 60) << i;
    EXPECT_LT(covered, 600) << i;
    EXPECT_EQ(mask.pixels.front(), 0);
    EXPECT_EQ(mask, sprite_mask({.size = 20, .split = "test"}, i));
  }
  EXPECT_THROW(sprite_mask({.size = 5}, 5), std::invalid_argument);
}

TEST(Sprites, ShapesAreDistinctAndOfSimilarSize) {
  std::vector<std::vector<float>> masks;
  for (const SpriteShape& shape : sprite_shapes()) {
    std::vector<float> mask(1024);
    cover(shape.outline, {.x = 16, .y = 16, .scale = 11}, 32, 32, mask);
    float area = 0;
    for (const float c : mask) area += c;
    EXPECT_GT(area, 80) << shape.name;
    EXPECT_LT(area, 340) << shape.name;
    for (size_t k = 0; k < masks.size(); ++k) {
      float difference = 0;
      for (size_t p = 0; p < 1024; ++p) difference += std::abs(mask[p] - masks[k][p]);
      EXPECT_GT(difference, 50) << shape.name << " " << sprite_shapes()[k].name;
    }
    masks.push_back(std::move(mask));
  }
}

TEST(SpritePaint, PaintsAPlainSceneByHand) {
  const Outline outline = Outline().add({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const SpriteScene scene = {.outline = &outline,
                             .placement = {.x = 16.5, .y = 16, .scale = 8},
                             .figure = {.colour = {200, 100, 0}},
                             .ground = {.colour = {0, 100, 50}}};
  const Image image = paint(scene);
  EXPECT_THAT(image.at(16, 16), ElementsAre(200, 100, 0));
  EXPECT_THAT(image.at(0, 0), ElementsAre(0, 100, 50));
  EXPECT_THAT(image.at(16, 8), ElementsAre(100, 100, 25));
}

TEST(SpritePaint, PatternsUseBothColours) {
  const Outline outline = Outline().add({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  for (const Pattern pattern :
       {Pattern::kGradient, Pattern::kStripes, Pattern::kChecks, Pattern::kDots, Pattern::kClouds}) {
    const Image image = paint({.outline = &outline,
                               .placement = {.x = -50, .y = -50},
                               .ground = {.pattern = pattern, .accent = {250, 250, 250}, .period = 8}});
    const auto [low, high] = std::ranges::minmax(image.pixels);
    EXPECT_LT(low, 60) << static_cast<int>(pattern);
    EXPECT_GT(high, 190) << static_cast<int>(pattern);
  }
}

TEST(SpritePaint, NoiseHasTheStatedDeviation) {
  const Outline outline = Outline().add({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const Image image = paint({.outline = &outline,
                             .placement = {.x = -50, .y = -50},
                             .ground = {.colour = {128, 128, 128}},
                             .noise = 10,
                             .grain = 5});
  double sum = 0, squares = 0;
  for (const uint8_t value : image.pixels) {
    sum += value - 128.0;
    squares += (value - 128.0) * (value - 128.0);
  }
  EXPECT_NEAR(sum / 3072, 0, 0.8);
  EXPECT_NEAR(std::sqrt(squares / 3072), 10, 0.5);
}

TEST(Sprites, RejectsWhatItCannotPaint) {
  EXPECT_THAT(test::message_of<std::invalid_argument>([] { make_sprites({.split = "val"}); }),
              HasSubstr("[sprites] expected the split train or test, got val"));
  EXPECT_THROW(make_sprites({.size = -1}), std::invalid_argument);
  const auto sprites = make_sprites({.size = 3});
  EXPECT_THAT(test::message_of<std::invalid_argument>([&] { sprites->image(3); }),
              HasSubstr("[sprites] expected an index from 0 to 2, got 3"));
  EXPECT_THROW(sprites->label(-1), std::invalid_argument);
  EXPECT_THROW(sprites->vector(0), std::invalid_argument);
  std::vector<int32_t> few(2);
  EXPECT_THROW(sprites->factors(0, few), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
