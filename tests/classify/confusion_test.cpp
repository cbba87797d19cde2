#include "orthant/classify/confusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::classify {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<int64_t>;

TEST(Confusion, IsWorkedOutByHand) {
  const Confusion found = confusion(Numbers{0, 0, 0, 1, 1, -1}, Numbers{0, 0, 1, 0, 2, 2}, 4);
  EXPECT_EQ(found.counts(0, 0), 2);
  EXPECT_EQ(found.counts(0, 1), 1);
  EXPECT_EQ(found.counts(1, 2), 1);
  EXPECT_EQ(found.judged, 5);
  EXPECT_EQ(found.unlabelled, 1);
  EXPECT_DOUBLE_EQ(found.accuracy, 2.0 / 5);
  EXPECT_DOUBLE_EQ(found.commonest, 3.0 / 5);
  EXPECT_DOUBLE_EQ(found.recall[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.recall[1], 0);
  EXPECT_TRUE(std::isnan(found.recall[2]));
  EXPECT_DOUBLE_EQ(found.precision[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.precision[2], 0);
  EXPECT_TRUE(std::isnan(found.precision[3]));
  EXPECT_EQ(found.worst, 1);
}

TEST(Confusion, OfNothingHasNoNumbers) {
  const Confusion found = confusion(Numbers{-1}, Numbers{0}, 2);
  EXPECT_TRUE(std::isnan(found.accuracy));
  EXPECT_TRUE(std::isnan(found.commonest));
  EXPECT_EQ(found.worst, -1);
  EXPECT_TRUE(mistakes(found, 5).empty());
}

TEST(Confusion, CountsEveryLabelledItemOnce) {
  const Numbers labels = test::random_labels(500, 6, 3);
  Numbers predicted = test::random_labels(500, 6, 4);
  for (int64_t& each : predicted) each = std::max<int64_t>(each, 0);
  const Confusion found = confusion(labels, predicted, 6);
  const auto all = found.counts.values();
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), int64_t{0}), found.judged);
  EXPECT_EQ(found.judged + found.unlabelled, 500);
  double right = 0;
  for (int64_t c = 0; c < 6; ++c) {
    const auto row = found.counts.row(c);
    right += found.recall[static_cast<size_t>(c)] * static_cast<double>(std::accumulate(row.begin(), row.end(), 0L));
    EXPECT_GE(found.recall[static_cast<size_t>(c)], found.recall[static_cast<size_t>(found.worst)]);
  }
  EXPECT_NEAR(right / static_cast<double>(found.judged), found.accuracy, 1e-12);
}

TEST(Confusion, NamesTheWorstMistakesFirst) {
  const Confusion found = confusion(Numbers{0, 0, 0, 0, 1, 1, 2}, Numbers{1, 1, 2, 0, 0, 1, 2}, 3);
  const auto worst = mistakes(found, 2);
  ASSERT_EQ(worst.size(), 2U);
  EXPECT_EQ(worst[0].label, 0);
  EXPECT_EQ(worst[0].predicted, 1);
  EXPECT_EQ(worst[0].items, 2);
  EXPECT_DOUBLE_EQ(worst[0].share, 0.5);
  EXPECT_EQ(worst[1].label, 1);  // a half as well, of fewer items
  EXPECT_EQ(mistakes(found, 10).size(), 3U);
}

TEST(Confusion, RejectsWhatIsOutOfRange) {
  EXPECT_THAT(test::message_of([] {
                confusion(Numbers{0, 5}, Numbers{0, 0}, 5);
              }),
              HasSubstr("expected labels from -1 (unknown) to 4, got 5 for item 1"));
  EXPECT_THAT(test::message_of([] { confusion(Numbers{0}, Numbers{-1}, 5); }),
              HasSubstr("expected predictions from 0 to 4, got -1 for item 0"));
  EXPECT_THAT(test::message_of([] { confusion(Numbers{0}, Numbers{}, 5); }),
              HasSubstr("expected a label for each of 0 predictions, got 1"));
  EXPECT_THAT(test::message_of([] { confusion({}, {}, 0); }), HasSubstr("expected classes, got 0"));
}

}  // namespace
}  // namespace orthant::classify
