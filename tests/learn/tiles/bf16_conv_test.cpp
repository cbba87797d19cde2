#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "learn/tiles/bf16_conv.h"
#include "orthant/core/amx.h"
#include "orthant/core/rng.h"

namespace orthant {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Full of NaN, so that what is not written is seen.
template <class Number>
class Numbers {
 public:
  explicit Numbers(int64_t size)
      : size_(static_cast<size_t>(size)),
        data_(static_cast<Number*>(std::aligned_alloc(64, (size_ * sizeof(Number) + 64) / 64 * 64)), &std::free) {
    std::memset(data_.get(), 0xff, size_ * sizeof(Number));
  }
  std::span<Number> span() { return {data_.get(), size_}; }
  std::span<const Number> span() const { return {data_.get(), size_}; }
  Number& operator[](int64_t i) { return data_.get()[i]; }
  Number operator[](int64_t i) const { return data_.get()[i]; }
  int64_t size() const { return static_cast<int64_t>(size_); }
  bool same_bytes(const Numbers& other) const {
    return size_ == other.size_ && std::memcmp(data_.get(), other.data_.get(), size_ * sizeof(Number)) == 0;
  }

 private:
  size_t size_;
  std::unique_ptr<Number, decltype(&std::free)> data_;
};
using Floats = Numbers<float>;

Floats random(int64_t size, uint64_t seed) {
  Floats values(size);
  Rng rng(seed);
  for (float& value : values.span()) value = static_cast<float>(rng.normal());
  return values;
}

int64_t in_floats(const Bf16ConvShape& s) { return s.batch * s.height * s.width * s.in; }
int64_t out_floats(const Bf16ConvShape& s) { return s.batch * s.out_height() * s.out_width() * s.out; }
int64_t weight_floats(const Bf16ConvShape& s) { return s.out * s.in * s.taps(); }

// To the nearest number with the upper 16 bits alone, ties to even.
double rounded(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000U;
  return static_cast<double>(std::bit_cast<float>(bits));
}

struct Convolution {
  std::vector<double> y;
  std::vector<double> dx;
  std::vector<double> dw;
};

// The direct sum in double of rounded operands: y, and with dy the gradients of x and w.
Convolution naive(const Bf16ConvShape& s, const Floats& x, const Floats& w, const Floats& dy) {
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  Convolution r{std::vector<double>(size(out_floats(s))), std::vector<double>(size(in_floats(s))),
                std::vector<double>(size(weight_floats(s)))};
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t row = 0; row < s.out_height(); ++row) {
      for (int64_t column = 0; column < s.out_width(); ++column) {
        for (int64_t tap = 0; tap < s.taps(); ++tap) {
          const int64_t from_row = s.stride * row + tap / s.kernel - s.padding;
          const int64_t from_column = s.stride * column + tap % s.kernel - s.padding;
          if (from_row < 0 || from_row >= s.height || from_column < 0 || from_column >= s.width) continue;
          const int64_t in = ((n * s.height + from_row) * s.width + from_column) * s.in;
          const int64_t out = ((n * s.out_height() + row) * s.out_width() + column) * s.out;
          for (int64_t k = 0; k < s.out; ++k) {
            const double g = rounded(dy[out + k]);
            for (int64_t c = 0; c < s.in; ++c) {
              const int64_t weight = (k * s.in + c) * s.taps() + tap;
              r.y[size(out + k)] += rounded(x[in + c]) * rounded(w[weight]);
              r.dx[size(in + c)] += g * rounded(w[weight]);
              r.dw[size(weight)] += g * rounded(x[in + c]);
            }
          }
        }
      }
    }
  }
  return r;
}

struct Passes {
  Floats y;
  Floats dx;
  Floats dw;

  Passes(const Bf16ConvShape& s, const Floats& x, const Floats& w, const Floats& dy, int threads)
      : y(out_floats(s)), dx(in_floats(s)), dw(weight_floats(s)) {
    Numbers<Bf16> tiles(bf16_weight_numbers(s));
    Numbers<Bf16> forward(bf16_forward_scratch(s, threads));
    bf16_weights(w.span(), s, threads, tiles.span());
    bf16_forward(x.span(), tiles.span(), s, threads, forward.span(), y.span());
    Numbers<Bf16> backward(bf16_input_gradient_scratch(s, threads));
    bf16_weights_transposed(w.span(), s, threads, tiles.span());
    bf16_input_gradient(dy.span(), tiles.span(), s, threads, backward.span(), dx.span());
    Numbers<Bf16> packed(bf16_weight_gradient_scratch(s, threads));
    Floats sums(bf16_weight_gradient_sums(s, threads));
    bf16_weight_gradient(x.span(), dy.span(), s, threads, packed.span(), sums.span(), dw.span());
  }
};

// Relative error in the Euclidean norm.
double distance(const Floats& got, const std::vector<double>& expected) {
  double difference = 0;
  double norm = 1e-30;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(static_cast<double>(got[static_cast<int64_t>(i)]) - expected[i], 2);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

// {batch, height, width, in, out, kernel, stride, padding}: single images and batches that do not fill their tiles,
// channels that do not, every way in which networks halve, bands of several rows, linear layers.
const std::vector<Bf16ConvShape> kShapes = {
    {1, 5, 7, 16, 48, 3, 1, 1},   {1, 1, 1, 16, 16, 3, 1, 1},   {37, 6, 5, 40, 33, 3, 2, 1},
    {70, 4, 4, 64, 96, 2, 2, 0},  {33, 9, 7, 32, 64, 1, 2, 0},  {65, 1, 1, 100, 70, 1, 1, 0},
    {3, 8, 8, 17, 16, 4, 2, 1},   {34, 5, 5, 31, 1, 3, 1, 1},   {2, 20, 20, 64, 64, 3, 1, 1},
    {3, 9, 8, 16, 16, 7, 2, 3},   {5, 33, 12, 32, 16, 3, 2, 1}, {2, 3, 40, 96, 64, 3, 1, 1},
    {200, 2, 2, 48, 80, 3, 1, 1}, {4, 6, 6, 16, 16, 3, 1, 2},   {64, 8, 8, 32, 32, 1, 1, 0}};

class Bf16Conv : public testing::Test {
 protected:
  void SetUp() override {
    if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  }
};

TEST_F(Bf16Conv, EqualsTheNaiveConvolutionOfRoundedOperands) {
  for (const Bf16ConvShape& s : kShapes) {
    SCOPED_TRACE(testing::Message() << s.batch << "x" << s.height << "x" << s.width << ", " << s.in << " to " << s.out
                                    << ", kernel " << s.kernel << ", stride " << s.stride);
    const Floats x = random(in_floats(s), 1);
    const Floats w = random(weight_floats(s), 2);
    const Floats dy = random(out_floats(s), 3);
    const Convolution expected = naive(s, x, w, dy);
    for (const int threads : {1, 2}) {
      const Passes got(s, x, w, dy, threads);
      // Products of bfloat16 numbers are exact in float32; what is left is its rounding of sums.
      EXPECT_LT(distance(got.y, expected.y), 2e-6);
      EXPECT_LT(distance(got.dx, expected.dx), 2e-6);
      EXPECT_LT(distance(got.dw, expected.dw), 2e-6);
    }
  }
}

TEST_F(Bf16Conv, GivesTheSameBytesEveryTimeAndOutsideTheWeightsOnAnyNumberOfThreads) {
  const Bf16ConvShape s{100, 9, 7, 48, 40, 3, 2, 1};
  const Floats x = random(in_floats(s), 1);
  const Floats w = random(weight_floats(s), 2);
  const Floats dy = random(out_floats(s), 3);
  const Passes once(s, x, w, dy, 2);
  const Passes again(s, x, w, dy, 2);
  const Passes alone(s, x, w, dy, 1);
  EXPECT_TRUE(once.dw.same_bytes(again.dw));
  for (const Passes* other : {&again, &alone}) {
    EXPECT_TRUE(once.y.same_bytes(other->y));
    EXPECT_TRUE(once.dx.same_bytes(other->dx));
  }
}

TEST_F(Bf16Conv, OfOnesOnTheDiagonalRoundsToTheNearestAndTiesToEven) {
  const Bf16ConvShape s{1, 1, 1, 16, 16};
  Floats x(16);
  Floats w(256);
  std::ranges::fill(x.span(), 0.0F);
  std::ranges::fill(w.span(), 0.0F);
  for (int64_t i = 0; i < 16; ++i) w[17 * i] = 1;
  x[0] = 1 + 0x1p-8F;             // halfway between 1 and the next number
  x[1] = 1 + 0x3p-8F;             // halfway, the upper one being even
  x[2] = 1 + 0x1p-8F + 0x1p-20F;  // a little more than halfway
  x[3] = -3.14159265F;
  x[4] = 1e-40F;  // subnormal
  const Passes got(s, x, w, Floats(16), 1);
  EXPECT_EQ(got.y[0], 1.0F);
  EXPECT_EQ(got.y[1], 1 + 0x1p-6F);
  EXPECT_EQ(got.y[2], 1 + 0x1p-7F);
  EXPECT_EQ(got.y[3], -3.140625F);
  EXPECT_EQ(got.y[4], 0.0F);
}

TEST_F(Bf16Conv, OfZerosIsZero) {
  const Bf16ConvShape s{3, 4, 4, 16, 16, 3, 1, 1};
  Floats x(in_floats(s));
  std::ranges::fill(x.span(), 0.0F);
  const Passes got(s, x, random(weight_floats(s), 2), x, 2);
  for (const Floats* values : {&got.y, &got.dx, &got.dw}) {
    for (const float value : values->span()) ASSERT_EQ(value, 0.0F);
  }
}

TEST_F(Bf16Conv, PassesNanAndInfinityOnToWhatTheyTouchAlone) {
  const Bf16ConvShape s{2, 1, 3, 16, 16};
  for (const float odd : {kNan, kInfinity}) {
    Floats x = random(in_floats(s), 1);
    Floats dy = random(out_floats(s), 3);
    x[0] = odd;            // channel 0 of the first pixel
    dy[16 * 2 + 5] = odd;  // channel 5 of the third
    const Passes got(s, x, random(weight_floats(s), 2), dy, 1);
    for (int64_t i = 0; i < got.y.size(); ++i) {
      EXPECT_EQ(std::isfinite(got.y[i]), i / 16 != 0) << i;
      EXPECT_EQ(std::isfinite(got.dx[i]), i / 16 != 2) << i;
    }
    for (int64_t i = 0; i < got.dw.size(); ++i) {
      EXPECT_EQ(std::isfinite(got.dw[i]), i % 16 != 0 && i / 16 != 5) << i;
    }
  }
}

}  // namespace
}  // namespace orthant
