#include "orthant/measure/knn_drop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthant::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MeasureReport with_knn(double accuracy, const std::string& searched) {
  MeasureReport report;
  report.measures = {{"knn-accuracy", 1, {{"searched", searched}}, {{"knn_accuracy", accuracy, Unit::ratio}}}};
  return report;
}

TEST(KnnDrop, IsWhatOtherDataLoseAgainstTheSameBank) {
  MeasureReport other = with_knn(0.25, "bank");
  add_knn_drop(other, with_knn(0.75, "bank"));
  EXPECT_EQ(other.find("knn_drop"), 0.5);
  EXPECT_THAT(other.warnings, ElementsAre());
}

TEST(KnnDrop, IsNotTakenWhereNeighboursAreOfTheItemsThemselves) {
  MeasureReport other = with_knn(0.25, "bank");
  add_knn_drop(other, with_knn(0.75, "the other rows"));
  EXPECT_FALSE(other.find("knn_drop"));
  EXPECT_THAT(other.warnings, ElementsAre(HasSubstr("no drop is taken")));
}

TEST(KnnDrop, IsNothingWhereKnnWasNotComputed) {
  MeasureReport other;
  add_knn_drop(other, with_knn(0.75, "bank"));
  EXPECT_THAT(other.measures, ElementsAre());
  EXPECT_THAT(other.warnings, ElementsAre());
}

}  // namespace
}  // namespace orthant::measure
