#include "orthant/sources/dsprites.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "orthant/core/embeddings.h"
#include "orthant/core/rng.h"
#include "orthant/io/npz.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

int64_t count_on(const Image& image) { return std::count(image.pixels.begin(), image.pixels.end(), 255); }

TEST(Dsprites, HasTheOriginalsGrid) {
  const auto grid = make_dsprites("all");
  EXPECT_EQ(grid->size(), 737'280);
  const auto& factors = grid->info().factors;
  ASSERT_EQ(factors.size(), 5);
  for (size_t k = 0; k < 5; ++k) EXPECT_EQ(static_cast<int64_t>(factors[k].values.size()), kDspritesSizes[k]);
  EXPECT_THAT(factors[0].values, ElementsAre(1, 2, 3));
  EXPECT_EQ(factors[0].period, 0);
  for (const size_t k : {size_t{1}, size_t{3}, size_t{4}}) EXPECT_EQ(factors[k].period, kLinePeriod);
  EXPECT_EQ(factors[2].values.back() - factors[2].values.front(), factors[2].period) << "both ends are the same";
  EXPECT_FLOAT_EQ(factors[1].values.front(), 0.5F);
  EXPECT_FLOAT_EQ(factors[1].values.back(), 1);
  EXPECT_FLOAT_EQ(factors[2].values.back(), static_cast<float>(2 * std::numbers::pi));
  EXPECT_FLOAT_EQ(factors[4].values[1], 1 / 31.0F);
}

TEST(Dsprites, IndexAndClassesAreInverse) {
  EXPECT_THAT(dsprites_classes(0), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(dsprites_classes(1), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(dsprites_classes(32), ElementsAre(0, 0, 0, 1, 0));
  EXPECT_THAT(dsprites_classes(737'279), ElementsAre(2, 5, 39, 31, 31));
  for (int64_t i = 0; i < kDspritesCount; i += 37) EXPECT_EQ(dsprites_index(dsprites_classes(i)), i);
}

TEST(Dsprites, DrawsTheFirstSquareByHand) {
  // Half side 0.5 * 9.6 = 4.8 around (16, 16): the centres from 11.5 to 20.5 are inside.
  const Image image = make_dsprites("all")->image(0);
  EXPECT_EQ(count_on(image), 100);
  EXPECT_EQ(image.at(11, 11)[0], 255);
  EXPECT_EQ(image.at(20, 20)[0], 255);
  EXPECT_EQ(image.at(10, 11)[0], 0);
  EXPECT_EQ(image.at(21, 20)[0], 0);
}

TEST(Dsprites, MovesRightWithPosXAndDownWithPosY) {
  const auto grid = make_dsprites("all");
  const Image right = grid->image(dsprites_index({0, 0, 0, 31, 0}));
  EXPECT_EQ(right.at(16, 48)[0], 255);
  EXPECT_EQ(right.at(48, 16)[0], 0);
  const Image down = grid->image(dsprites_index({0, 0, 0, 0, 31}));
  EXPECT_EQ(down.at(48, 16)[0], 255);
  EXPECT_EQ(down.at(16, 48)[0], 0);
}

TEST(Dsprites, SquaresFollowTheHalfPlanesOfTheirDefinition) {
  const auto grid = make_dsprites("all");
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    const auto index = static_cast<int64_t>(rng.below(kDspritesCount / 3));
    const auto [shape, scale, orientation, px, py] = dsprites_classes(index);
    const double s = 0.5 + 0.1 * scale;
    const double t = 2 * std::numbers::pi * orientation / 39;
    const Image image = grid->image(index);
    for (int64_t y = 0; y < 64; ++y) {
      for (int64_t x = 0; x < 64; ++x) {
        const double dx = static_cast<double>(x) + 0.5 - (16 + 32.0 * px / 31);
        const double dy = static_cast<double>(y) + 0.5 - (16 + 32.0 * py / 31);
        const double u = (std::cos(t) * dx - std::sin(t) * dy) / s;
        const double v = (std::sin(t) * dx + std::cos(t) * dy) / s;
        EXPECT_EQ(image.at(y, x)[0] == 255, std::max(std::abs(u), std::abs(v)) < 9.6) << index << " " << y << " " << x;
      }
    }
  }
}

TEST(Dsprites, EllipsesAndHeartsFillTheirBoxes) {
  const auto grid = make_dsprites("all");
  const Image ellipse = grid->image(dsprites_index({1, 5, 0, 15, 15}));
  EXPECT_NEAR(static_cast<double>(count_on(ellipse)), std::numbers::pi * 12.8 * 7.25, 8);
  // Upright: two lobes above, a notch between them, the tip below.
  const Image heart = grid->image(dsprites_index({2, 5, 0, 0, 0}));
  EXPECT_EQ(heart.at(7, 10)[0], 255);
  EXPECT_EQ(heart.at(7, 22)[0], 255);
  EXPECT_EQ(heart.at(7, 16)[0], 0);
  EXPECT_EQ(heart.at(25, 15)[0], 255);
  EXPECT_EQ(heart.at(25, 10)[0], 0);
  for (int64_t y = 0; y < 64; ++y) {
    for (int64_t x = 0; x < 32; ++x) EXPECT_EQ(heart.at(y, x)[0], heart.at(y, 31 - x)[0]);
  }
}

TEST(Dsprites, FullTurnGivesTheSamePicture) {
  const auto grid = make_dsprites("all");
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    auto classes = dsprites_classes(static_cast<int64_t>(rng.below(kDspritesCount)));
    classes[2] = 0;
    const Image start = grid->image(dsprites_index(classes));
    classes[2] = 39;
    EXPECT_EQ(start, grid->image(dsprites_index(classes)));
  }
}

TEST(Dsprites, EveryPictureStaysClearOfTheEdge) {
  const auto grid = make_dsprites("all");
  for (int64_t i = 0; i < kDspritesCount; i += 211) {
    const Image image = grid->image(i);
    for (int64_t k = 0; k < 64; ++k) {
      ASSERT_EQ(image.at(0, k)[0] + image.at(63, k)[0] + image.at(k, 0)[0] + image.at(k, 63)[0], 0) << i;
    }
    EXPECT_GT(count_on(image), 50);
  }
}

TEST(Dsprites, SplitsAreDisjointAndKeepTheFactors) {
  const auto train = make_dsprites("train");
  const auto test = make_dsprites("test");
  EXPECT_EQ(train->size(), 663'552);
  EXPECT_EQ(test->size(), 73'728);
  std::vector<bool> seen(static_cast<size_t>(kDspritesCount));
  for (const auto& part : {train, test}) {
    for (int64_t i = 0; i < part->size(); ++i) {
      std::array<int32_t, 5> classes{};
      part->factors(i, classes);
      const auto index = static_cast<size_t>(dsprites_index(classes));
      ASSERT_FALSE(seen[index]);
      seen[index] = true;
    }
  }
  EXPECT_EQ(train->info().split, "train");
}

TEST(Dsprites, RejectsClassesOutOfTheGrid) {
  EXPECT_THAT(test::message_of<std::invalid_argument>([] {
                dsprites_index({0, 6, 0, 0, 0});
              }),
              HasSubstr("expected classes from 0 to 5 of factor 1, got 6"));
  EXPECT_THROW(dsprites_classes(kDspritesCount), std::invalid_argument);
  EXPECT_THROW(make_dsprites("val"), std::invalid_argument);
}

// A file as the original is made, of the given items of the grid.
void write_original(const std::string& path, const std::vector<int64_t>& items) {
  const auto grid = make_dsprites("all");
  const auto count = static_cast<int64_t>(items.size());
  std::vector<uint8_t> images;
  std::vector<int64_t> classes;
  std::vector<double> values;
  for (const int64_t i : items) {
    for (const uint8_t pixel : grid->image(i).pixels) images.push_back(pixel / 255);
    classes.push_back(0);
    values.push_back(1);
    const auto latents = dsprites_classes(i);
    for (size_t k = 0; k < 5; ++k) {
      classes.push_back(latents[k]);
      values.push_back(grid->info().factors[k].values[static_cast<size_t>(latents[k])]);
    }
  }
  io::write_npz(path,
                {{"imgs", io::array_of(std::span<const uint8_t>(images), {count, 64, 64})},
                 {"latents_classes", io::array_of(std::span<const int64_t>(classes), {count, 6})},
                 {"latents_values", io::array_of(std::span<const double>(values), {count, 6})}},
                {.deflate = true});
}

TEST(DspritesFile, ReadsWhatTheGridRenders) {
  const test::TemporaryFolder folder;
  const std::vector<int64_t> items = {0, 5, 245'760, 300'000, 491'520, 737'279};
  write_original(folder / "d.npz", items);
  const auto file = open_dsprites(folder / "d.npz", "all");
  const auto grid = make_dsprites("all");
  ASSERT_EQ(file->size(), 6);
  for (size_t k = 0; k < items.size(); ++k) {
    const auto i = static_cast<int64_t>(k);
    EXPECT_EQ(file->image(i), grid->image(items[k]));
    EXPECT_EQ(file->label(i), grid->label(items[k]));
    std::array<int32_t, 5> classes{};
    file->factors(i, classes);
    EXPECT_EQ(classes, dsprites_classes(items[k]));
  }
  EXPECT_FLOAT_EQ(file->info().factors[2].values.back(), static_cast<float>(2 * std::numbers::pi));
}

TEST(DspritesFile, RejectsOtherArrays) {
  const test::TemporaryFolder folder;
  const std::vector<uint8_t> images(2 * 64 * 64);
  const std::vector<int64_t> classes = {0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0};
  const auto imgs = io::array_of(std::span<const uint8_t>(images), {2, 64, 64});
  io::write_npz(folder / "images.npz", {{"imgs", io::array_of(std::span<const uint8_t>(images), {2, 32, 128})}});
  EXPECT_THAT(test::message_of<IoError>([&] { open_dsprites(folder / "images.npz", "all"); }),
              HasSubstr("expected imgs of type uint8 and shape (N, 64, 64), got uint8 (2, 32, 128)"));
  io::write_npz(folder / "none.npz", {{"imgs", imgs}});
  EXPECT_THROW(open_dsprites(folder / "none.npz", "all"), IoError);
  io::write_npz(folder / "short.npz",
                {{"imgs", imgs}, {"latents_classes", io::array_of(std::span(classes).first(6), {1, 6})}});
  EXPECT_THAT(test::message_of<IoError>([&] { open_dsprites(folder / "short.npz", "all"); }),
              HasSubstr("shape (2, 6)"));
  io::write_npz(folder / "shape.npz", {{"imgs", imgs}, {"latents_classes", io::array_of(std::span(classes), {2, 6})}});
  EXPECT_THAT(test::message_of<IoError>([&] { open_dsprites(folder / "shape.npz", "all"); }),
              HasSubstr("expected 3 shapes, got 8"));
}

}  // namespace
}  // namespace orthant
