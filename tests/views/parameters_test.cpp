#include "orthant/views/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace orthant {
namespace {

constexpr int kDraws = 20000;

std::vector<ViewParameters> draw(const ViewOptions& options, int64_t height, int64_t width) {
  std::vector<ViewParameters> all;
  for (uint64_t sample = 0; sample < kDraws; ++sample) {
    Rng rng(StreamKey{.seed = 5, .sample = sample});
    all.push_back(sample_parameters(options, height, width, rng));
  }
  return all;
}

double share(const std::vector<ViewParameters>& all, const std::function<bool(const ViewParameters&)>& holds) {
  return static_cast<double>(std::ranges::count_if(all, holds)) / static_cast<double>(all.size());
}

// The largest distance between the distribution of `values` and the uniform one on [low, high] (Kolmogorov-Smirnov);
// for 20,000 draws it exceeds 0.0138 once in a thousand.
double distance_from_uniform(std::vector<double> values, double low, double high) {
  std::ranges::sort(values);
  double largest = 0;
  const auto count = static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double want = (values[i] - low) / (high - low);
    largest = std::max({largest, std::abs(want - static_cast<double>(i) / count),
                        std::abs(want - static_cast<double>(i + 1) / count)});
  }
  return largest;
}

TEST(ViewParameters, AreAFunctionOfTheKey) {
  const ViewOptions options;
  for (uint64_t sample = 0; sample < 100; ++sample) {
    const StreamKey key{.seed = 3, .epoch = 7, .sample = sample, .view = 1};
    Rng first(key);
    Rng second(key);
    EXPECT_EQ(sample_parameters(options, 40, 50, first), sample_parameters(options, 40, 50, second));
  }
}

TEST(ViewParameters, CropsLieWithinThePicture) {
  ViewOptions options;
  options.ratio_min = 0.2;
  options.ratio_max = 5;
  for (const auto& [height, width] : {std::pair{1, 1}, {1, 9}, {500, 3}, {32, 32}, {7, 90}}) {
    for (const auto& p : draw(options, height, width)) {
      ASSERT_GE(p.rows.begin, 0);
      ASSERT_GE(p.rows.length, 1);
      ASSERT_LE(p.rows.begin + p.rows.length, height);
      ASSERT_GE(p.columns.begin, 0);
      ASSERT_GE(p.columns.length, 1);
      ASSERT_LE(p.columns.begin + p.columns.length, width);
      ASSERT_EQ(p.rows.resized, options.size);
    }
  }
}

TEST(ViewParameters, CropAreaAndShapeAreUniformWhereTheyFit) {
  ViewOptions options;
  options.scale_min = 0.1;
  options.scale_max = 0.5;  // with ratios up to 4/3 every draw fits
  std::vector<double> area, log_ratio, top, left;
  for (const auto& p : draw(options, 2000, 2000)) {
    const auto h = static_cast<double>(p.rows.length);
    const auto w = static_cast<double>(p.columns.length);
    area.push_back(h * w / 4e6);
    log_ratio.push_back(std::log(w / h));
    top.push_back((static_cast<double>(p.rows.begin) + 0.5) / (2001 - h));
    left.push_back((static_cast<double>(p.columns.begin) + 0.5) / (2001 - w));
  }
  EXPECT_LT(distance_from_uniform(area, 0.1, 0.5), 0.0138);
  EXPECT_LT(distance_from_uniform(log_ratio, std::log(0.75), std::log(4.0 / 3.0)), 0.0138);
  EXPECT_LT(distance_from_uniform(top, 0, 1), 0.0138);
  EXPECT_LT(distance_from_uniform(left, 0, 1), 0.0138);
}

TEST(ViewParameters, FallBackToTheMiddleWhenNoCropFits) {
  ViewOptions options;
  options.scale_min = options.scale_max = 1;
  options.ratio_min = 2;
  options.ratio_max = 3;
  Rng rng(1);
  const ViewParameters tall = sample_parameters(options, 100, 40, rng);
  EXPECT_EQ(tall.rows, (CropAxis{.begin = 40, .length = 20, .resized = 32}));
  EXPECT_EQ(tall.columns, (CropAxis{.begin = 0, .length = 40, .resized = 32}));
  const ViewParameters wide = sample_parameters(options, 10, 100, rng);
  EXPECT_EQ(wide.rows, (CropAxis{.begin = 0, .length = 10, .resized = 32}));
  EXPECT_EQ(wide.columns, (CropAxis{.begin = 35, .length = 30, .resized = 32}));
}

TEST(ViewParameters, ProbabilitiesAreTheOptions) {
  ViewOptions options;
  options.solarise_probability = 0.3;
  const auto all = draw(options, 32, 32);
  constexpr double kTolerance = 0.015;  // four standard deviations
  EXPECT_NEAR(share(all, [](auto& p) { return p.hue != 0; }), 0.8, kTolerance);
  EXPECT_NEAR(share(all, [](auto& p) { return p.grey; }), 0.2, kTolerance);
  EXPECT_NEAR(share(all, [](auto& p) { return p.blur_sigma > 0; }), 0.5, kTolerance);
  EXPECT_NEAR(share(all, [](auto& p) { return p.solarise; }), 0.3, kTolerance);
  EXPECT_NEAR(share(all, [](auto& p) { return p.flip; }), 0.5, kTolerance);
  EXPECT_NEAR(share(all, [](auto& p) { return p.flip && p.grey; }), 0.1, kTolerance);
}

TEST(ViewParameters, FactorsAreUniformInTheirRanges) {
  ViewOptions options;
  options.jitter_probability = options.blur_probability = 1;
  options.contrast = 2;  // the factor stops at 0
  std::vector<double> brightness, contrast, saturation, hue, sigma;
  for (const auto& p : draw(options, 32, 32)) {
    brightness.push_back(p.brightness);
    contrast.push_back(p.contrast);
    saturation.push_back(p.saturation);
    hue.push_back(p.hue);
    sigma.push_back(p.blur_sigma);
  }
  EXPECT_LT(distance_from_uniform(brightness, 0.2, 1.8), 0.0138);
  EXPECT_LT(distance_from_uniform(contrast, 0, 3), 0.0138);
  EXPECT_LT(distance_from_uniform(saturation, 0.2, 1.8), 0.0138);
  EXPECT_LT(distance_from_uniform(hue, -0.2, 0.2), 0.0138);
  EXPECT_LT(distance_from_uniform(sigma, 0.1, 2), 0.0138);
}

TEST(ViewParameters, AllOrdersOfTheColourOperationsAreEquallyLikely) {
  ViewOptions options;
  options.jitter_probability = 1;
  std::map<std::array<ColourOp, 4>, int> counts;
  for (const auto& p : draw(options, 32, 32)) ++counts[p.order];
  ASSERT_EQ(counts.size(), 24u);
  double chi_squared = 0;
  for (const auto& [order, count] : counts) chi_squared += std::pow(count - kDraws / 24.0, 2) / (kDraws / 24.0);
  EXPECT_LT(chi_squared, 49.7);  // 23 degrees of freedom, one in a thousand
}

TEST(ViewParameters, StrengthZeroLeavesAnOperationOut) {
  ViewOptions options;
  options.jitter_probability = 1;
  options.brightness = options.contrast = options.saturation = options.hue = 0;
  for (const auto& p : draw(options, 32, 32)) {
    ASSERT_EQ(p.brightness, 1);
    ASSERT_EQ(p.contrast, 1);
    ASSERT_EQ(p.saturation, 1);
    ASSERT_EQ(p.hue, 0);
  }
}

TEST(ViewParameters, EvalKeepsAPictureThatHasTheSizeAlready) {
  Rng rng(1);
  const ViewParameters p = sample_parameters(view_preset("eval", 224), 224, 224, rng);
  EXPECT_EQ(p.rows, (CropAxis{.begin = 0, .length = 224, .resized = 224}));
  const ViewParameters photo = sample_parameters(view_preset("eval", 224), 300, 400, rng);
  EXPECT_EQ(photo.rows, (CropAxis{.begin = 0, .length = 300, .resized = 256, .offset = 16}));
  EXPECT_EQ(photo.columns, (CropAxis{.begin = 0, .length = 400, .resized = 341, .offset = 58}));
}

TEST(ViewParameters, RejectsAPictureWithoutPixels) {
  Rng rng(1);
  EXPECT_THROW(sample_parameters(ViewOptions{}, 0, 5, rng), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
