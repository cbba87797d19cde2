#include "orthant/measure/sepin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tests/measure/sepin_oracle.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using oracle::random_views;
using testing::HasSubstr;

std::vector<SepinOptions> all_kinds() {
  std::vector<SepinOptions> kinds;
  for (const bool renormalise : {true, false}) {
    for (const bool positive : {true, false}) {
      kinds.push_back({.renormalise = renormalise, .positive_in_denominator = positive});
    }
  }
  return kinds;
}

void expect_like_oracle(const Matrix& first, const Matrix& second, const SepinOptions& options, double tolerance) {
  const oracle::Result expected = oracle::sepin(first, second, options);
  const Sepin found = sepin(first, second, options);
  EXPECT_NEAR(found.loss, expected.loss, tolerance);
  ASSERT_EQ(found.values.size(), expected.values.size());
  for (size_t i = 0; i < found.values.size(); ++i) {
    EXPECT_NEAR(found.values[i], expected.values[i], tolerance)
        << "feature " << i << " of " << first.rows() << " x " << first.cols() << ", renormalise " << options.renormalise
        << ", positive " << options.positive_in_denominator;
  }
}

TEST(Sepin, IsRightByHandForTwoItemsOnTwoAxes) {
  // Two items, each alone on its axis, both views equal: cosines are 1 within a pair and 0 beyond. Without feature 0
  // the first item is a zero vector, so that its similarities are all 0 and the second item's stay.
  const Matrix views(2, 2, {3, 0, 0, 0.5F});
  const double full = std::log(1 + 2 * std::exp(-5.0));
  const Sepin found = sepin(views, views);
  EXPECT_NEAR(found.loss, full, 1e-7);
  EXPECT_NEAR(found.values[0], (std::log(3.0) - full) / 2, 1e-7);
  EXPECT_NEAR(found.values[1], (std::log(3.0) - full) / 2, 1e-7);
  EXPECT_EQ(found.pairs, 2);
  EXPECT_EQ(found.live, 2);
}

TEST(Sepin, IsRightByHandWithoutThePositiveInTheDenominator) {
  const Matrix views(2, 2, {3, 0, 0, 0.5F});
  const Sepin found = sepin(views, views, {.temperature = 0.5, .positive_in_denominator = false});
  EXPECT_NEAR(found.loss, std::log(2.0) - 2, 1e-7);
  EXPECT_NEAR(found.values[0], 1, 1e-7);  // half of the rows lose a positive of 1 / 0.5
}

TEST(Sepin, IsWhatDeletingColumnsGivesForAnyShapeAndKind) {
  uint64_t seed = 0;
  for (const SepinOptions& options : all_kinds()) {
    for (const double zeros : {0.0, 0.3, 0.9}) {
      for (const auto& [pairs, cols] : {std::pair{2, 2}, {3, 5}, {17, 1}, {64, 6}, {65, 7}, {150, 9}}) {
        const auto views = random_views(pairs, cols, zeros, ++seed);
        expect_like_oracle(views.first, views.second, options, 1e-6);
      }
    }
  }
}

TEST(Sepin, IsRightForDominatedSingleAndZeroRows) {
  auto [first, second] = random_views(80, 6, 0.5, 11);
  for (int64_t p = 0; p < 60; ++p) {
    const int64_t feature = p % 3;
    for (Matrix* view : {&first, &second}) {
      for (int64_t j = 0; j < 6; ++j) {
        if (p < 20) (*view)(p, j) *= j == feature ? 1e5F : 1.0F;            // all but one feature
        if (p >= 20 && p < 40) (*view)(p, j) = j == feature ? 2.0F : 0.0F;  // one feature only
        if (p >= 40 && p < 50) (*view)(p, j) = 0;                           // none
        if (p >= 50) (*view)(p, j) = j == feature ? 1e-13F : 0.0F;          // too short to have a direction
      }
    }
  }
  for (const SepinOptions& options : all_kinds()) expect_like_oracle(first, second, options, 1e-6);
  EXPECT_EQ(sepin(first, second).zero_rows, 40);
}

TEST(Sepin, KeepsItsDigitsWhereSimilaritiesCollapse) {
  // All rows are alike because of feature 0; without it they point everywhere.
  auto [first, second] = random_views(3, 4, 0, 12);
  for (Matrix* view : {&first, &second}) {
    for (int64_t p = 0; p < 3; ++p) (*view)(p, 0) = 50;
  }
  for (SepinOptions options : all_kinds()) {
    expect_like_oracle(first, second, options, 2e-6);
    for (const double temperature : {0.05, 0.02, kMinSepinTemperature}) {
      options.temperature = temperature;
      expect_like_oracle(first, second, options, 5e-7 / temperature);
    }
  }
}

TEST(Sepin, OfSparseFeaturesIsThatOfDenseOnes) {
  const auto views = random_views(100, 20, 0.9, 13);
  for (const SepinOptions& options : all_kinds()) {
    const Sepin dense = sepin(views.first, views.second, options);
    const Sepin sparse = sepin(SparseMatrix::from_dense(views.first), SparseMatrix::from_dense(views.second), options);
    const Sepin mixed = sepin(views.first, SparseMatrix::from_dense(views.second), options);
    EXPECT_EQ(dense.values, sparse.values);
    EXPECT_EQ(dense.values, mixed.values);
    EXPECT_EQ(dense.loss, sparse.loss);
  }
}

TEST(Sepin, DoesNotDependOnTheNumberOfThreads) {
  const auto views = random_views(300, 33, 0.6, 14);
  const Sepin one = sepin(views.first, views.second, {.threads = 1});
  for (const int threads : {2, 3, 7}) {
    const Sepin several = sepin(views.first, views.second, {.threads = threads});
    EXPECT_EQ(one.values, several.values);
    EXPECT_EQ(one.loss, several.loss);
  }
}

TEST(Sepin, OfADeadFeatureIsExactlyZeroAndItIsNotCountedAsLive) {
  auto [first, second] = random_views(70, 5, 0, 15);
  for (int64_t p = 0; p < 70; ++p) first(p, 3) = second(p, 3) = 0;
  for (const SepinOptions& options : all_kinds()) {
    const Sepin found = sepin(first, second, options);
    EXPECT_EQ(found.values[3], 0);
    EXPECT_EQ(found.live, 4);
    EXPECT_EQ(found.all.features, 5);
  }
}

TEST(Sepin, IsZeroForASinglePairAndForNothingButZeros) {
  const auto views = random_views(1, 4, 0, 16);
  const Sepin single = sepin(views.first, views.second);
  EXPECT_EQ(single.values, std::vector<double>(4, 0.0));
  EXPECT_EQ(single.loss, 0);
  const Sepin zeros = sepin(Matrix(5, 3), Matrix(5, 3));
  EXPECT_EQ(zeros.values, std::vector<double>(3, 0.0));
  EXPECT_NEAR(zeros.loss, std::log(9.0), 1e-12);
  EXPECT_EQ(zeros.zero_rows, 10);
  EXPECT_EQ(zeros.live, 0);
}

TEST(Sepin, DoesNotChangeWhenViewsAreSwappedRowsScaledOrPairsReordered) {
  auto [first, second] = random_views(90, 8, 0.4, 17);
  const Sepin before = sepin(first, second);
  const Sepin swapped = sepin(second, first);
  for (int64_t p = 0; p < 90; ++p) {
    for (float& x : first.mutable_row(p)) x *= static_cast<float>(1 + p);
  }
  const Sepin scaled = sepin(first, second);
  Matrix reversed_first(90, 8);
  Matrix reversed_second(90, 8);
  for (int64_t p = 0; p < 90; ++p) {
    std::ranges::copy(first.row(p), reversed_first.mutable_row(89 - p).begin());
    std::ranges::copy(second.row(p), reversed_second.mutable_row(89 - p).begin());
  }
  const Sepin reordered = sepin(reversed_first, reversed_second);
  for (size_t i = 0; i < before.values.size(); ++i) {
    EXPECT_NEAR(before.values[i], swapped.values[i], 1e-7);
    EXPECT_NEAR(before.values[i], scaled.values[i], 1e-6);
    EXPECT_NEAR(before.values[i], reordered.values[i], 1e-6);
  }
}

TEST(Sepin, InBatchesIsTheMeanOverShuffledBatchesThatAreFull) {
  const auto views = random_views(23, 5, 0.5, 18);
  std::vector<int64_t> order(23);
  std::iota(order.begin(), order.end(), 0);
  Rng(9).shuffle(std::span(order));
  std::vector<double> expected(5, 0.0);
  double loss = 0;
  for (size_t b = 0; b < 2; ++b) {
    Matrix first(10, 5);
    Matrix second(10, 5);
    for (int64_t p = 0; p < 10; ++p) {
      const int64_t source = order[b * 10 + static_cast<size_t>(p)];
      std::ranges::copy(views.first.row(source), first.mutable_row(p).begin());
      std::ranges::copy(views.second.row(source), second.mutable_row(p).begin());
    }
    const Sepin part = sepin(first, second);
    loss += part.loss / 2;
    for (size_t i = 0; i < 5; ++i) expected[i] += part.values[i] / 2;
  }
  const Sepin found = sepin(views.first, views.second, {.batch = 10, .seed = 9});
  EXPECT_EQ(found.pairs, 20);
  EXPECT_EQ(found.batch, 10);
  EXPECT_NEAR(found.loss, loss, 1e-12);
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(found.values[i], expected[i], 1e-12);
}

TEST(Sepin, ABatchOfAllPairsOrMoreIsTheFullSet) {
  const auto views = random_views(12, 4, 0, 19);
  const Sepin full = sepin(views.first, views.second);
  for (const int64_t batch : {12, 500}) {
    const Sepin found = sepin(views.first, views.second, {.batch = batch});
    EXPECT_EQ(found.values, full.values);
    EXPECT_EQ(found.batch, 12);
  }
}

TEST(Sepin, AtKIsTheMeanOfTheLargestAndSaysHowManyThereWere) {
  const std::vector<double> values = {0.5, -1, 2, 0.5};
  EXPECT_EQ(mean_of_largest(values, 1).mean, 2);
  EXPECT_EQ(mean_of_largest(values, 2).mean, 1.25);
  EXPECT_EQ(mean_of_largest(values, 100).mean, 0.5);
  EXPECT_EQ(mean_of_largest(values, 100).features, 4);
  EXPECT_EQ(mean_of_largest({}, 3).features, 0);
  EXPECT_EQ(mean_of_largest({}, 3).mean, 0);
  EXPECT_THROW(mean_of_largest(values, 0), std::invalid_argument);
}

TEST(Sepin, TellsProgressToTheEndAndCanBeStopped) {
  const auto views = random_views(200, 3, 0, 20);
  std::vector<int64_t> told;
  int64_t last_total = 0;
  sepin(views.first, views.second, {.batch = 50, .progress = [&](int64_t done, int64_t total) {
                                      told.push_back(done);
                                      last_total = total;
                                    }});
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), last_total);
  const auto stop = [](int64_t, int64_t) { throw std::runtime_error("stop"); };
  EXPECT_THROW(sepin(views.first, views.second, {.progress = stop}), std::runtime_error);
}

TEST(Sepin, RefusesWhatItCannotMeasure) {
  const Matrix some(3, 2, {1, 2, 3, 4, 5, 6});
  const auto message = [](const Matrix& first, const Matrix& second, const SepinOptions& options = {}) {
    return test::message_of([&] { sepin(first, second, options); });
  };
  EXPECT_THAT(message(some, Matrix(3, 3)),
              HasSubstr("[sepin] expected two views of the same shape, got 3 x 2 and 3 x"));
  EXPECT_THAT(message(Matrix(0, 2), Matrix(0, 2)), HasSubstr("expected at least one pair and one feature, got 0 x 2"));
  EXPECT_THAT(message(Matrix(2, 0), Matrix(2, 0)), HasSubstr("got 2 x 0"));
  EXPECT_THAT(message(some, some, {.temperature = 0.001}), HasSubstr("temperature of at least 0.0125, got 0.001"));
  EXPECT_THAT(message(some, some, {.temperature = NAN}), HasSubstr("temperature of at least 0.0125, got nan"));
  EXPECT_THAT(message(some, some, {.batch = -1}),
              HasSubstr("expected a batch of 1 pair or more, or 0 for all, got -1"));
  EXPECT_THAT(message(Matrix(1, 2), Matrix(1, 2), {.positive_in_denominator = false}),
              HasSubstr("expected two pairs or more where the positive is not in the denominator, got 1"));
  Matrix bad = some;
  bad(1, 1) = NAN;
  EXPECT_THAT(message(some, bad), HasSubstr("[sepin, second view] expected finite features, got 1 NaN or infinite"));
}

TEST(StatedTemperature, IsReadFromHowAndOtherwiseNotInvented) {
  Embeddings embeddings;
  EXPECT_EQ(stated_temperature(embeddings), std::nullopt);
  embeddings.how["temperature"] = "0.15";
  EXPECT_EQ(stated_temperature(embeddings), 0.15);
  for (const char* text : {"", "warm", "0.2x", "-1", "0", "inf", "nan"}) {
    embeddings.how["temperature"] = text;
    EXPECT_EQ(stated_temperature(embeddings), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace orthant::measure
