// Every kernel against a plain double-precision twin, on sizes that do and do not fill vectors, with every SIMD target
// that this CPU supports.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "orthant/views/blur.h"
#include "orthant/views/colour.h"
#include "orthant/views/normalise.h"
#include "orthant/views/resample.h"
#include "tests/views/pictures.h"

namespace orthant {
namespace {

using test::PlanarImage;

constexpr std::pair<int64_t, int64_t> kSizes[] = {{1, 1}, {1, 7}, {9, 1}, {8, 8}, {31, 33}, {40, 23}};

// Runs the body once for each target and afterwards restores the choice of the CPU.
void on_every_target(const std::function<void()>& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

double cut(double level) { return std::floor(std::clamp(level, 0.0, 255.0)); }

double grey_of(const PlanarImage& image, int64_t y, int64_t x) {
  if (image.channels == 1) return image.at(0, y, x);
  return std::floor((19595.0 * image.at(0, y, x) + 38470.0 * image.at(1, y, x) + 7471.0 * image.at(2, y, x) + 32768) /
                    65536);
}

// Applies `fast` to random pictures and compares each value with twin(picture, channel, y, x).
void compare(const std::function<void(views::Planes)>& fast,
             const std::function<double(const PlanarImage&, int64_t, int64_t, int64_t)>& twin, double tolerance = 0) {
  on_every_target([&] {
    Rng rng(4);
    for (const auto& [height, width] : kSizes) {
      for (const int64_t channels : {1, 3}) {
        const PlanarImage before(test::random_image(height, width, channels, rng));
        PlanarImage after = before;
        fast(after.planes());
        for (int64_t c = 0; c < channels; ++c) {
          for (int64_t y = 0; y < height; ++y) {
            for (int64_t x = 0; x < width; ++x) {
              ASSERT_NEAR(after.at(c, y, x), twin(before, c, y, x), tolerance)
                  << height << " x " << width << " x " << channels << " at " << c << ", " << y << ", " << x;
            }
          }
        }
      }
    }
  });
}

// Factors in quarters, whose products with levels are exact.
TEST(Kernels, BrightnessScalesAndCutsOff) {
  for (const double factor : {0.0, 0.25, 1.0, 1.75}) {
    compare([&](auto planes) { views::adjust_brightness(planes, static_cast<float>(factor)); },
            [&](auto& image, auto c, auto y, auto x) { return cut(factor * image.at(c, y, x)); });
  }
}

TEST(Kernels, ContrastPullsTowardsTheLevel) {
  for (const double factor : {0.0, 0.25, 1.75}) {
    compare([&](auto planes) { views::adjust_contrast(planes, static_cast<float>(factor), 101); },
            [&](auto& image, auto c, auto y, auto x) { return cut(101 + factor * (image.at(c, y, x) - 101)); });
  }
}

TEST(Kernels, SaturationPullsTowardsGrey) {
  for (const double factor : {0.0, 0.25, 1.75}) {
    compare([&](auto planes) { views::adjust_saturation(planes, static_cast<float>(factor)); },
            [&](auto& image, auto c, auto y, auto x) {
              const double grey = grey_of(image, y, x);
              return cut(grey + factor * (image.at(c, y, x) - grey));
            });
  }
}

TEST(Kernels, GreyFillsTheFirstPlaneOnly) {
  compare([](auto planes) { views::to_grey(planes); },
          [](auto& image, auto c, auto y, auto x) { return c == 0 ? grey_of(image, y, x) : image.at(c, y, x); });
}

TEST(Kernels, SolariseInvertsFromTheThresholdOn) {
  compare([](auto planes) { views::solarise(planes, 128); },
          [](auto& image, auto c, auto y, auto x) {
            const double level = image.at(c, y, x);
            return level >= 128 ? 255 - level : level;
          });
}

// Through HSV with 8 bits each, case by case as the textbook has it. The quotients are float32 like the kernel's: one
// that is whole, or just below, decides a whole step of hue.
double hue_twin(const PlanarImage& image, int64_t c, int64_t y, int64_t x, int shift) {
  const float r = image.at(0, y, x), g = image.at(1, y, x), b = image.at(2, y, x);
  const float value = std::max({r, g, b});
  const float range = value - std::min({r, g, b});
  if (range == 0) return value;
  float sixths = r == value ? (g - b) / range : g == value ? 2 + (b - r) / range : 4 + (r - g) / range;
  if (sixths < 0) sixths += 6;
  const double s = std::floor(range / value * 255) / 255;
  const int h = (static_cast<int>(sixths * 42.5f) + shift) % 256;
  const double turn = h * 6.0 / 255;
  const double f = turn - std::floor(turn);
  const double v = value, p = v * (1 - s), q = v * (1 - s * f), t = v * (1 - s * (1 - f));
  const double table[6][3] = {{v, t, p}, {q, v, p}, {p, v, t}, {p, q, v}, {t, p, v}, {v, p, q}};
  return std::round(table[static_cast<int>(turn) % 6][c]);
}

TEST(Kernels, HueTurnsThroughHsv) {
  for (const int shift : {0, 1, 51, 128, 205}) {
    compare([&](auto planes) { views::rotate_hue(planes, (shift > 127 ? shift - 256 : shift) / 255.0 * 1.0001); },
            [&](auto& image, auto c, auto y, auto x) {
              return image.channels == 1 ? image.at(c, y, x) : hue_twin(image, c, y, x, shift);
            },
            1);
  }
}

TEST(Kernels, GreySumIsExact) {
  on_every_target([] {
    Rng rng(2);
    for (const auto& [height, width] : {std::pair<int64_t, int64_t>{1, 1}, {5, 7}, {32, 32}, {300, 301}}) {
      for (const int64_t channels : {1, 3}) {
        PlanarImage image(test::random_image(height, width, channels, rng));
        double want = 0;
        for (int64_t y = 0; y < height; ++y) {
          for (int64_t x = 0; x < width; ++x) want += grey_of(image, y, x);
        }
        EXPECT_EQ(static_cast<double>(views::grey_sum(image.planes())), want);
      }
    }
  });
  PlanarImage white(300, 301, 3);
  std::ranges::fill(white.values, 255.0f);
  EXPECT_EQ(views::grey_sum(white.planes()), 255 * 300 * 301);
}

TEST(Kernels, ContrastLevelRoundsHalfUp) {
  EXPECT_EQ(views::contrast_level(5, 2), 3);
  EXPECT_EQ(views::contrast_level(9, 4), 2);
  EXPECT_EQ(views::contrast_level(0, 9), 0);
}

TEST(Kernels, NormaliseScalesAndShifts) {
  const auto how = views::normalisation({0.5, 0.25, 0.125}, {0.5, 0.25, 2});
  const double mean[] = {0.5, 0.25, 0.125}, std[] = {0.5, 0.25, 2};
  compare([&](auto planes) { views::normalise(planes, how, planes); },
          [&](auto& image, auto c, auto y, auto x) { return (image.at(c, y, x) / 255.0 - mean[c]) / std[c]; }, 1e-6);
}

TEST(Kernels, NormaliseRepeatsGrey) {
  const auto how = views::normalisation({0, 0, 0}, {1, 0.5, 0.25});
  PlanarImage out(1, 3, 3);
  out.values = {0, 255, 51, 9, 9, 9, 9, 9, 9};
  views::Planes grey = out.planes();
  grey.channels = 1;
  views::normalise(grey, how, out.planes());
  const std::vector<float> want{0, 1, 0.2f, 0, 2, 0.4f, 0, 4, 0.8f};
  EXPECT_THAT(out.values, testing::Pointwise(testing::FloatNear(1e-6f), want));
}

TEST(Kernels, BlurWeighsSymmetrically) {
  for (const double sigma : {0.1, 0.9, 1.6, 3.0, 10.0}) {
    const auto kernel = views::blur_kernel(sigma);
    const auto pass = [&](const PlanarImage& image, int64_t c, int64_t dy, int64_t dx) {
      PlanarImage out = image;
      for (int64_t y = 0; y < image.height; ++y) {
        for (int64_t x = 0; x < image.width; ++x) {
          double sum = 0;
          for (int64_t k = -kernel.radius; k <= kernel.radius; ++k) {
            sum += static_cast<double>(kernel.weights[static_cast<size_t>(std::abs(k))]) *
                   image.at(c, std::clamp<int64_t>(y + k * dy, 0, image.height - 1),
                            std::clamp<int64_t>(x + k * dx, 0, image.width - 1));
          }
          out.at(c, y, x) = static_cast<float>(std::floor(sum + 0.5));
        }
      }
      return out;
    };
    on_every_target([&] {
      Rng rng(6);
      AlignedBuffer scratch;
      for (const auto& [height, width] : kSizes) {
        PlanarImage image(test::random_image(height, width, 1, rng));
        const PlanarImage want = pass(pass(image, 0, 1, 0), 0, 0, 1);
        views::blur(image.values.data(), height, width, kernel, scratch);
        ASSERT_EQ(image.values, want.values) << sigma << ": " << height << " x " << width;
      }
    });
  }
}

TEST(BlurKernel, HasUnitSumAndTheVarianceAskedFor) {
  for (double sigma = 0; sigma <= 10; sigma += 0.13) {
    const auto kernel = views::blur_kernel(sigma);
    ASSERT_LE(kernel.radius, views::BlurKernel::kMaxRadius);
    double sum = kernel.weights[0], variance = 0;
    for (int64_t k = 1; k <= kernel.radius; ++k) {
      const double weight = kernel.weights[static_cast<size_t>(k)];
      EXPECT_GE(weight, 0);
      sum += 2 * weight;
      variance += 2 * weight * static_cast<double>(k * k);
    }
    EXPECT_EQ(sum, 1);
    EXPECT_NEAR(variance, sigma * sigma, 0.002 * sigma * sigma + 0.001) << sigma;
  }
  EXPECT_THROW(views::blur_kernel(-1), std::invalid_argument);
  EXPECT_THROW(views::blur_kernel(10.5), std::invalid_argument);
}

double cubic_twin(double x) {
  x = std::abs(x);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

// The weight of every pixel of the axis for one output.
std::vector<double> weights_twin(const CropAxis& axis, int64_t output) {
  const double scale = static_cast<double>(axis.length) / static_cast<double>(axis.resized);
  const double stretch = std::max(scale, 1.0);
  const double centre = (static_cast<double>(axis.offset + output) + 0.5) * scale;
  std::vector<double> weights(static_cast<size_t>(axis.length));
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] = cubic_twin((static_cast<double>(i) + 0.5 - centre) / stretch);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

constexpr CropAxis kAxes[] = {{0, 1, 5, 0},   {0, 9, 9, 0},   {0, 7, 32, 0},    {0, 33, 32, 0},
                              {0, 90, 11, 0}, {0, 30, 37, 3}, {0, 400, 40, 10}, {0, 2, 300, 100}};

TEST(Taps, AreBicubicAndSumToOne) {
  on_every_target([] {
    for (const CropAxis& axis : kAxes) {
      views::Taps taps;
      const int64_t outputs = std::min<int64_t>(axis.resized - axis.offset, 70);
      views::plan_taps(axis, outputs, taps);
      for (int64_t i = 0; i < outputs; ++i) {
        auto want = weights_twin(axis, i);
        const auto n = static_cast<size_t>(i);
        double sum = 0;
        for (int64_t k = 0; k < taps.count[n]; ++k) {
          const double weight = taps.weights.data()[k * taps.stride + i];
          sum += weight;
          want[static_cast<size_t>(taps.first[n] + k)] -= weight;
        }
        EXPECT_EQ(sum, 1);
        for (const double rest : want) ASSERT_NEAR(rest, 0, 6e-5) << axis.length << " to " << axis.resized;
      }
    }
  });
}

// Both passes in double with the twin's weights, rounded in between.
PlanarImage resample_twin(const Image& image, const CropAxis& rows, const CropAxis& columns, int64_t height,
                          int64_t width, bool flip) {
  const auto round = [](double level) { return static_cast<float>(std::floor(std::clamp(level, 0.0, 255.0) + 0.5)); };
  PlanarImage across(rows.length, width, image.channels);
  PlanarImage out(height, width, image.channels);
  for (int64_t c = 0; c < image.channels; ++c) {
    for (int64_t x = 0; x < width; ++x) {
      const auto weights = weights_twin(columns, flip ? width - 1 - x : x);
      for (int64_t y = 0; y < rows.length; ++y) {
        double sum = 0;
        for (size_t i = 0; i < weights.size(); ++i) {
          sum += weights[i] * image.at(rows.begin + y, columns.begin + static_cast<int64_t>(i))[static_cast<size_t>(c)];
        }
        across.at(c, y, x) = round(sum);
      }
    }
    for (int64_t y = 0; y < height; ++y) {
      const auto weights = weights_twin(rows, y);
      for (int64_t x = 0; x < width; ++x) {
        double sum = 0;
        for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * across.at(c, static_cast<int64_t>(i), x);
        out.at(c, y, x) = round(sum);
      }
    }
  }
  return out;
}

TEST(Resampler, AgreesWithItsTwin) {
  struct Case {
    CropAxis rows, columns;
    int64_t height, width;
  };
  const Case cases[] = {
      {{0, 40, 40, 0}, {0, 50, 50, 0}, 40, 50},   {{3, 17, 32, 0}, {5, 13, 32, 0}, 32, 32},
      {{0, 40, 9, 0}, {0, 50, 7, 0}, 9, 7},       {{39, 1, 5, 0}, {49, 1, 33, 0}, 5, 33},
      {{0, 40, 30, 4}, {0, 50, 38, 9}, 20, 20},   {{10, 20, 20, 0}, {10, 8, 16, 0}, 20, 16},
      {{0, 40, 120, 40}, {0, 50, 90, 3}, 41, 71},
  };
  on_every_target([&] {
    Rng rng(8);
    views::Resampler resampler;
    for (const int64_t channels : {1, 3}) {
      const Image image = test::random_image(40, 50, channels, rng);
      for (const auto& [rows, columns, height, width] : cases) {
        for (const bool flip : {false, true}) {
          const PlanarImage want = resample_twin(image, rows, columns, height, width, flip);
          PlanarImage got(height, width, channels);
          resampler.begin(image, rows, columns, height, width, flip);
          for (int64_t y = 0; y < height; y += 7) {
            const int64_t end = std::min(height, y + 7);
            resampler.rows(y, end, got.planes().part(y * width, (end - y) * width));
          }
          double different = 0;
          for (size_t i = 0; i < got.values.size(); ++i) {
            ASSERT_NEAR(got.values[i], want.values[i], 1);
            different += got.values[i] != want.values[i];
          }
          EXPECT_LE(different, 0.05 * static_cast<double>(got.values.size()) + 1);
        }
      }
    }
  });
}

}  // namespace
}  // namespace orthant
