#include "orthant/views/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "orthant/views/resize.h"
#include "tests/views/pictures.h"

namespace orthant {
namespace {

using testing::HasSubstr;

std::vector<float> views_of(const std::vector<Image>& images, const ViewOptions& options, int threads) {
  const ViewMaker make(options);
  const auto size = static_cast<size_t>(options.view_size());
  std::vector<float> out(images.size() * size);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      ViewScratch scratch;
      for (auto i = static_cast<size_t>(t); i < images.size(); i += static_cast<size_t>(threads)) {
        make(images[i], {.seed = 11, .epoch = 2, .sample = i, .view = 1}, scratch,
             std::span(out).subspan(i * size, size));
      }
    });
  }
  for (auto& worker : workers) worker.join();
  return out;
}

std::vector<Image> pictures() {
  Rng rng(21);
  std::vector<Image> images;
  for (int i = 0; i < 120; ++i) {
    images.push_back(test::random_image(1 + static_cast<int64_t>(rng.below(60)),
                                        1 + static_cast<int64_t>(rng.below(60)), i % 3 == 0 ? 1 : 3, rng));
  }
  return images;
}

ViewOptions everything(int64_t size) {
  ViewOptions options = view_preset("simclr", size);
  options.solarise_probability = 0.3;
  return options;
}

TEST(View, HasTheSameBytesOnOneThreadAndEight) {
  const auto images = pictures();
  const ViewOptions options = everything(31);
  EXPECT_EQ(views_of(images, options, 1), views_of(images, options, 8));
}

TEST(View, HasTheSameBytesOnEverySimdTarget) {
  const auto images = pictures();
  for (const int64_t size : {5, 32, 33, 70}) {
    const ViewOptions options = everything(size);
    const auto want = views_of(images, options, 1);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      EXPECT_EQ(views_of(images, options, 1), want) << hwy::TargetName(target) << " at " << size;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
}

TEST(View, DoesNotDependOnWhatTheScratchWasUsedForBefore) {
  const auto images = pictures();
  ViewScratch used;
  for (const int64_t size : {64, 9, 40}) {
    for (const int64_t channels : {1, 3}) {
      ViewOptions options = everything(size);
      options.channels = channels;
      const ViewMaker make(options);
      std::vector<float> one(static_cast<size_t>(options.view_size()));
      std::vector<float> two = one;
      for (uint64_t i = 0; i < images.size(); ++i) {
        ViewScratch fresh;
        make(images[i], {.sample = i}, used, one);
        make(images[i], {.sample = i}, fresh, two);
        ASSERT_EQ(one, two);
      }
    }
  }
}

TEST(View, TouchesNothingOutsideItsBuffer) {
  const auto images = pictures();
  ViewScratch scratch;
  for (const int64_t size : {1, 7, 33}) {
    const ViewMaker make(everything(size));
    const auto floats = static_cast<size_t>(make.options().view_size());
    std::vector<float> room(floats + 128, -77.0f);
    for (uint64_t i = 0; i < images.size(); ++i)
      make(images[i], {.sample = i}, scratch, std::span(room).subspan(64, floats));
    EXPECT_EQ(std::ranges::count(room, -77.0f), 128);
  }
}

TEST(View, NoneOnlyNormalisesAPictureOfItsSize) {
  Rng rng(3);
  const Image image = test::random_image(13, 13, 3, rng);
  const ViewOptions options = view_preset("none", 13);
  const auto view = views_of({image}, options, 1);
  const test::PlanarImage planar(image);
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 169; ++i) {
      const double want = (planar.values[c * 169 + i] / 255.0 - options.mean()[c]) / options.std()[c];
      ASSERT_NEAR(view[c * 169 + i], want, 1e-5);
    }
  }
  EXPECT_EQ(views_of({image}, view_preset("eval", 13), 1), view);
}

TEST(View, TurnsBackIntoThePicture) {
  Rng rng(3);
  for (const int64_t channels : {1, 3}) {
    const Image image = test::random_image(20, 20, channels, rng);
    ViewOptions options = view_preset("none", 20);
    options.channels = channels;
    EXPECT_EQ(view_to_image(views_of({image}, options, 1), options), image);
  }
}

TEST(View, RepeatsGreyPicturesOrMakesColourGrey) {
  Rng rng(3);
  ViewOptions options = view_preset("none", 8);
  options.set_mean({0, 0, 0});
  options.set_std({1, 1, 1});
  const auto repeated = views_of({test::random_image(8, 8, 1, rng)}, options, 1);
  for (size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(repeated[i], repeated[64 + i]);
    ASSERT_EQ(repeated[i], repeated[128 + i]);
  }
  options.channels = 1;
  Image green(8, 8, 3);
  for (size_t i = 1; i < green.pixels.size(); i += 3) green.pixels[i] = 255;
  EXPECT_THAT(views_of({green}, options, 1), testing::Each(testing::FloatNear(150 / 255.0f, 1e-6f)));
}

TEST(View, RejectsWhatDoesNotFit) {
  const ViewOptions options = view_preset("none", 8);
  ViewScratch scratch;
  std::vector<float> out(192);
  const Image image(8, 8, 3);
  Rng rng(1);
  const ViewParameters good = sample_parameters(options, 8, 8, rng);
  const auto message = [&](const Image& picture, const ViewParameters& p, std::span<float> room) -> std::string {
    try {
      make_view(picture, options, p, scratch, room);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message(image, good, std::span(out).first(191)), "[make_view] expected room for 192 floats, got 191");
  EXPECT_THAT(message(Image(8, 8, 2), good, out), HasSubstr("1 or 3 channels, got 2"));
  Image cut = image;
  cut.pixels.pop_back();
  EXPECT_THAT(message(cut, good, out), HasSubstr("expected 8 x 8 x 3 values, got 191"));
  ViewParameters p = good;
  p.rows.begin = 1;
  EXPECT_THAT(message(image, p, out), HasSubstr("a crop within 8 rows, got 8 from 1"));
  p = good;
  p.columns.offset = 1;
  EXPECT_THAT(message(image, p, out), HasSubstr("got an offset of 1"));
  EXPECT_THROW(ViewMaker({.size = 0}), std::invalid_argument);
  EXPECT_THROW(view_to_image(std::span(out).first(10), options), std::invalid_argument);
}

TEST(Resize, KeepsFlatPicturesFlatAtAnySize) {
  for (const int64_t size : {1, 3, 64, 501}) {
    const Image grey = views::resize(Image(40, 90, 3, 200), size, 2 * size);
    EXPECT_EQ(grey, Image(size, 2 * size, 3, 200));
  }
}

TEST(Resize, RejectsSizesAndPicturesWithoutPixels) {
  EXPECT_THROW(views::resize(Image(4, 4, 3), 0, 5), std::invalid_argument);
  EXPECT_THROW(views::resize(Image(4, 4, 3), 5, 70000), std::invalid_argument);
  EXPECT_THROW(views::resize(Image(0, 4, 3), 5, 5), std::invalid_argument);
  Image cut(4, 4, 3);
  cut.pixels.pop_back();
  EXPECT_THROW(views::resize(cut, 5, 5), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
