#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "learn/nn/batch_norm_kernels.h"
#include "learn/nn/winograd.h"
#include "orthant/core/rng.h"

namespace orthant {
namespace {

// A buffer aligned as tensors are.
class Floats {
 public:
  explicit Floats(int64_t size)
      : size_(static_cast<size_t>(size)),
        data_(static_cast<float*>(std::aligned_alloc(64, (size_ * 4 + 63) / 64 * 64)), &std::free) {
    std::fill_n(data_.get(), size_, 0.0F);
  }
  static Floats random(int64_t size, uint64_t seed) {
    Floats values(size);
    Rng rng(seed);
    for (float& value : values.span()) value = static_cast<float>(rng.normal());
    return values;
  }
  std::span<float> span() { return {data_.get(), size_}; }
  std::span<const float> span() const { return {data_.get(), size_}; }
  float& operator[](int64_t i) { return data_.get()[i]; }
  float operator[](int64_t i) const { return data_.get()[i]; }

 private:
  size_t size_;
  std::unique_ptr<float, decltype(&std::free)> data_;
};

// Relative error in the Euclidean norm.
double distance(std::span<const float> got, const std::vector<double>& expected) {
  double difference = 0;
  double norm = 1e-30;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(static_cast<double>(got[i]) - expected[i], 2);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

struct Convolution {
  std::vector<double> y;
  std::vector<double> dx;
  std::vector<double> dw;
};

// The direct sum in double: y, and with dy the gradients of x and w.
Convolution direct(const WinogradShape& s, const Floats& x, const Floats& w, const Floats& dy) {
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  Convolution r{std::vector<double>(size(s.batch * s.out_floats())), std::vector<double>(size(s.batch * s.in_floats())),
                std::vector<double>(size(s.out * s.in * 9))};
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t y = 0; y < s.out_height(); ++y) {
      for (int64_t column = 0; column < s.out_width(); ++column) {
        for (int64_t i = 0; i < 3; ++i) {
          for (int64_t j = 0; j < 3; ++j) {
            const int64_t from_y = s.stride * y + i - 1;
            const int64_t from_x = s.stride * column + j - 1;
            if (from_y < 0 || from_y >= s.height || from_x < 0 || from_x >= s.width) continue;
            const int64_t in = ((n * s.height + from_y) * s.width + from_x) * s.in;
            const int64_t out = ((n * s.out_height() + y) * s.out_width() + column) * s.out;
            for (int64_t k = 0; k < s.out; ++k) {
              for (int64_t c = 0; c < s.in; ++c) {
                const int64_t weight = (k * s.in + c) * 9 + 3 * i + j;
                const auto g = static_cast<double>(dy[out + k]);
                r.y[size(out + k)] += static_cast<double>(x[in + c]) * static_cast<double>(w[weight]);
                r.dx[size(in + c)] += g * static_cast<double>(w[weight]);
                r.dw[size(weight)] += g * static_cast<double>(x[in + c]);
              }
            }
          }
        }
      }
    }
  }
  return r;
}

struct WinogradRun {
  Floats y;
  Floats dx;
  Floats dw;

  WinogradRun(const WinogradShape& s, const Floats& x, const Floats& w, const Floats& upstream, int threads)
      : y(s.batch * s.out_floats()), dx(s.batch * s.in_floats()), dw(s.out * s.in * 9) {
    Floats panels(winograd_weight_floats(s.in, s.out));
    Floats scratch(std::max(winograd_forward_scratch(s, threads), winograd_backward_scratch(s, threads)));
    winograd_weights(w.span(), s, threads, panels.span());
    winograd_forward(x.span(), panels.span(), s, threads, scratch.span(), y.span());
    winograd_weights_transposed(w.span(), s, threads, panels.span());
    winograd_backward(x.span(), upstream.span(), panels.span(), s, threads, scratch.span(), dx.span(), dw.span());
  }
};

const std::vector<WinogradShape> kShapes = {
    {1, 1, 1, 16, 16},     {2, 5, 7, 16, 32},      {3, 8, 8, 32, 16},     {1, 9, 4, 48, 16},       {70, 4, 4, 16, 16},
    {1, 4, 4, 272, 16},    {4, 18, 13, 16, 16},    {130, 2, 2, 144, 128}, {1, 1, 1, 16, 16, 2},    {2, 2, 3, 16, 16, 2},
    {3, 9, 14, 32, 16, 2}, {2, 32, 32, 16, 32, 2}, {15, 7, 8, 16, 16, 2}, {130, 4, 4, 144, 128, 2}};

TEST(Winograd, EqualsTheDirectSumForwardAndBackward) {
  for (const WinogradShape& s : kShapes) {
    const Floats x = Floats::random(s.batch * s.in_floats(), 1);
    const Floats w = Floats::random(s.out * s.in * 9, 2);
    const Floats dy = Floats::random(s.batch * s.out_floats(), 3);
    const Convolution expected = direct(s, x, w, dy);
    for (const int threads : {1, 3}) {
      const WinogradRun got(s, x, w, dy, threads);
      EXPECT_LT(distance(got.y.span(), expected.y), 1e-5) << s.height << "x" << s.width;
      EXPECT_LT(distance(got.dx.span(), expected.dx), 1e-5) << s.height << "x" << s.width;
      EXPECT_LT(distance(got.dw.span(), expected.dw), 2e-5) << s.height << "x" << s.width;
    }
  }
}

TEST(Winograd, EqualsTheDirectSumOnEveryInstructionSet) {
  for (const int64_t stride : {1, 2}) {
    const WinogradShape s{2, 6, 5, 32, 16, stride};
    const Floats x = Floats::random(s.batch * s.in_floats(), 1);
    const Floats w = Floats::random(s.out * s.in * 9, 2);
    const Floats dy = Floats::random(s.batch * s.out_floats(), 3);
    const Convolution expected = direct(s, x, w, dy);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      const WinogradRun got(s, x, w, dy, 1);
      EXPECT_LT(distance(got.y.span(), expected.y), 1e-5) << hwy::TargetName(target);
      EXPECT_LT(distance(got.dx.span(), expected.dx), 1e-5) << hwy::TargetName(target);
      EXPECT_LT(distance(got.dw.span(), expected.dw), 2e-5) << hwy::TargetName(target);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(Winograd, GivesTheSameBytesEveryTimeAndForwardOnAnyNumberOfThreads) {
  const WinogradShape s{9, 8, 8, 16, 16};
  const Floats x = Floats::random(s.batch * 64 * 16, 1);
  const Floats w = Floats::random(16 * 16 * 9, 2);
  const Floats dy = Floats::random(s.batch * 64 * 16, 3);
  const WinogradRun first(s, x, w, dy, 4);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const WinogradRun again(s, x, w, dy, 4);
    EXPECT_TRUE(std::ranges::equal(first.dw.span(), again.dw.span()));
    EXPECT_TRUE(std::ranges::equal(first.dx.span(), again.dx.span()));
  }
  const WinogradRun alone(s, x, w, dy, 1);
  EXPECT_TRUE(std::ranges::equal(first.y.span(), alone.y.span()));
  EXPECT_TRUE(std::ranges::equal(first.dx.span(), alone.dx.span()));
}

TEST(Winograd, OfAFilterThatOnlyHasItsCentreCopiesTheInput) {
  const WinogradShape s{1, 6, 6, 16, 16};
  const Floats x = Floats::random(36 * 16, 1);
  Floats w(16 * 16 * 9);
  for (int64_t c = 0; c < 16; ++c) w[(c * 16 + c) * 9 + 4] = 1;
  const WinogradRun got(s, x, w, x, 1);
  for (int64_t i = 0; i < 36 * 16; ++i) EXPECT_NEAR(got.y[i], x[i], 2e-5);
}

TEST(BatchNormKernels, StatisticsKeepTheirDigitsUnderALargeMean) {
  const int64_t rows = 1037;
  Floats x(rows * 16);
  Rng rng(1);
  std::vector<double> mean(16);
  std::vector<double> variance(16);
  for (int64_t i = 0; i < rows * 16; ++i)
    x[i] = static_cast<float>(1000.0 * static_cast<double>(i % 16) + rng.normal());
  for (size_t c = 0; c < 16; ++c) {
    for (int64_t i = 0; i < rows; ++i) mean[c] += static_cast<double>(x[i * 16 + static_cast<int64_t>(c)]) / rows;
    for (int64_t i = 0; i < rows; ++i) {
      variance[c] += std::pow(static_cast<double>(x[i * 16 + static_cast<int64_t>(c)]) - mean[c], 2) / rows;
    }
  }
  Floats scratch(batch_norm_scratch(16));
  Floats got_mean(16);
  Floats got_variance(16);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    batch_norm_statistics(x.span(), rows, 16, 2, scratch.span(), got_mean.span(), got_variance.span());
    EXPECT_LT(distance(got_mean.span(), mean), 1e-6);
    EXPECT_LT(distance(got_variance.span(), variance), 1e-3);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(BatchNormKernels, GradientSumsCountOnlyWhatTheReluLetThrough) {
  const int64_t rows = 300;
  const Floats x = Floats::random(rows * 32, 1);
  const Floats y = Floats::random(rows * 32, 2);
  const Floats dy = Floats::random(rows * 32, 3);
  const Floats mean = Floats::random(32, 4);
  std::vector<double> sum_g(32);
  std::vector<double> sum_gx(32);
  std::vector<double> masked(static_cast<size_t>(rows * 32));
  for (int64_t i = 0; i < rows * 32; ++i) {
    if (y[i] <= 0) continue;
    masked[static_cast<size_t>(i)] = static_cast<double>(dy[i]);
    sum_g[static_cast<size_t>(i % 32)] += static_cast<double>(dy[i]);
    sum_gx[static_cast<size_t>(i % 32)] += static_cast<double>(dy[i]) * static_cast<double>(x[i] - mean[i % 32]);
  }
  Floats scratch(batch_norm_scratch(32));
  Floats got_masked(rows * 32);
  Floats got_g(32);
  Floats got_gx(32);
  batch_norm_reduce_gradient(x.span(), {.scale = {}, .shift = {}, .y = y.span()}, dy.span(), mean.span(), rows, 32, 2,
                             scratch.span(), got_masked.span(), got_g.span(), got_gx.span());
  EXPECT_LT(distance(got_masked.span(), masked), 1e-12);
  EXPECT_LT(distance(got_g.span(), sum_g), 1e-5);
  EXPECT_LT(distance(got_gx.span(), sum_gx), 1e-5);
}

TEST(BatchNormKernels, TheMaskMadeFromTheInputIsThatOfTheOutput) {
  const int64_t rows = 130;
  const int64_t channels = 80;
  const Floats x = Floats::random(rows * channels, 1);
  const Floats dy = Floats::random(rows * channels, 2);
  const Floats scale = Floats::random(channels, 3);
  const Floats shift = Floats::random(channels, 4);
  Floats y(rows * channels);
  Floats scratch(batch_norm_scratch(channels));
  const BatchNormMask by_input{.scale = scale.span(), .shift = shift.span(), .y = {}};
  const BatchNormMask by_output{.scale = {}, .shift = {}, .y = y.span()};
  const auto gradients = [&](const BatchNormMask& mask) {
    Floats all(2 * channels + rows * channels);
    batch_norm_reduce_gradient(x.span(), mask, dy.span(), shift.span(), rows, channels, 2, scratch.span(), {},
                               all.span().subspan(0, channels), all.span().subspan(channels, channels));
    batch_norm_apply_gradient(x.span(), mask, dy.span(), scale.span(), shift.span(), scale.span(), rows, channels, 2,
                              all.span().subspan(2 * channels));
    return all;
  };
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    batch_norm_apply(x.span(), scale.span(), shift.span(), {}, true, rows, channels, 2, y.span());
    EXPECT_TRUE(std::ranges::equal(gradients(by_input).span(), gradients(by_output).span()));
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(BatchNormKernels, WorkOnFewerRowsThanPieces) {
  const Floats x = Floats::random(3 * 16, 1);
  Floats scratch(batch_norm_scratch(16));
  Floats mean(16);
  Floats variance(16);
  batch_norm_statistics(x.span(), 3, 16, 2, scratch.span(), mean.span(), variance.span());
  for (int64_t c = 0; c < 16; ++c) EXPECT_NEAR(mean[c], (x[c] + x[16 + c] + x[32 + c]) / 3, 1e-6);
}

}  // namespace
}  // namespace orthant
