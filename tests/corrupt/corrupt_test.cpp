#include "orthant/corrupt/corrupt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthant {
namespace {

TEST(Corrupt, NameAloneMeansSeverityThree) {
  EXPECT_EQ(corrupt::parse("fog"), (corrupt::Corruption{"fog", 3}));
  EXPECT_EQ(corrupt::parse("snow:5"), (corrupt::Corruption{"snow", 5}));
}

}  // namespace
}  // namespace orthant
