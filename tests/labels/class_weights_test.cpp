#include "orthant/labels/class_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<int64_t> kLabels = {0, 1, 1, 2, 2, 2};

TEST(ClassWeights, AreNoneBalancedOrAsSaid) {
  EXPECT_THAT(class_weights("none", kLabels, 3), IsEmpty());
  EXPECT_THAT(class_weights("balanced", kLabels, 3), ElementsAre(DoubleEq(2), DoubleEq(1), DoubleEq(2.0 / 3)));
  EXPECT_THAT(class_weights("1,0.5, 2e1", kLabels, 3), ElementsAre(1, 0.5, 20));
}

TEST(ClassWeights, BalancedOnesGiveEveryClassTheSameSum) {
  const std::vector<int64_t> labels = {3, 0, 0, 1, 2, 2, 2, 2, 1, 3, 3, 3, 3};
  const std::vector<double> weights = class_weights("balanced", labels, 4);
  std::vector<double> sums(4);
  for (const int64_t label : labels) sums[static_cast<size_t>(label)] += weights[static_cast<size_t>(label)];
  for (const double sum : sums) EXPECT_NEAR(sum, 13.0 / 4, 1e-12);
}

TEST(ClassWeights, AnythingElseIsRefused) {
  const auto refused = [](const std::string& choice) { return message_of([&] { class_weights(choice, kLabels, 3); }); };
  EXPECT_EQ(refused("1,2"), "[labels.class_weights] expected none, balanced or 3 numbers, one for each class, got 2");
  EXPECT_THAT(refused("1,2,3,4"), HasSubstr("3 numbers, one for each class, got 4"));
  for (const char* text : {"", "equal", "1,,2", "1,2,", "1,2,x", "1,0,1", "1,-1,1", "1,inf,1", "1,nan,1"}) {
    EXPECT_THAT(refused(text), HasSubstr("expected none, balanced or positive numbers separated by commas, got '"))
        << text;
  }
  EXPECT_THAT(message_of([] {
                class_weights("balanced", std::vector<int64_t>{0, 2}, 3);
              }),
              HasSubstr("got none of class 1"));
}

}  // namespace
}  // namespace orthant
