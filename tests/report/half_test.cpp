#include "orthant/report/half.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::report {
namespace {

using test::message_of;
using ::testing::HasSubstr;

// By the definition of the format.
double value_of(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, EveryFiniteNumberOfTheFormatIsItself) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    if ((bits >> 10 & 31) == 31) continue;
    ASSERT_EQ(to_half(static_cast<float>(value_of(static_cast<uint16_t>(bits)))), bits);
  }
}

TEST(Half, TiesGoToTheEvenNeighbourAndAllElseToTheNearest) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<float>(value_of(bits));
    const auto high = static_cast<float>(value_of(static_cast<uint16_t>(bits + 1)));
    const float middle = (low + high) / 2;
    const int even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(to_half(middle), even);
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0F)), bits);
    ASSERT_EQ(to_half(std::nextafter(middle, high)), bits + 1);
    ASSERT_EQ(to_half(-middle), even | 0x8000);
  }
}

TEST(Half, NumbersBelowHalfAStepVanish) {
  EXPECT_EQ(to_half(0x1p-25F), 0);
  EXPECT_EQ(to_half(0x1.000002p-25F), 1);
  EXPECT_EQ(to_half(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(Half, RefusesWhatIsNotFiniteAfterwards) {
  EXPECT_EQ(to_half(std::nextafter(65520.0F, 0.0F)), 0x7bff);
  EXPECT_THAT(message_of([] { to_half(65520.0F); }), HasSubstr("[half] expected a number below 65520, got 65520"));
  EXPECT_THROW(to_half(-INFINITY), std::invalid_argument);
  EXPECT_THROW(to_half(NAN), std::invalid_argument);
}

TEST(Half, ScalesByAPowerOfTwoOnlyWhatDoesNotFit) {
  EXPECT_EQ(half_scale(0), 1);
  EXPECT_EQ(half_scale(1), 1);
  EXPECT_EQ(half_scale(0x1p-6F), 1);
  EXPECT_EQ(half_scale(0x1p15F), 1);
  EXPECT_EQ(half_scale(3e-5F), 0x1p-16F);
  EXPECT_EQ(half_scale(100'000), 65536);
  EXPECT_THROW(half_scale(INFINITY), std::invalid_argument);
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const float value = std::ldexp(1 + static_cast<float>(rng.uniform()), static_cast<int>(rng.below(270)) - 145);
    const float scale = half_scale(value);
    const double back = value_of(to_half(value / scale)) * scale;
    if (value > 1e-36F) {
      EXPECT_NEAR(back / value, 1, 1.0 / 2048) << value;
    }
  }
}

}  // namespace
}  // namespace orthant::report
