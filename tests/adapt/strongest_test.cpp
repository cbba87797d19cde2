#include "orthant/adapt/strongest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "orthant/core/rng.h"

namespace orthant::adapt {
namespace {

// By sorting everything.
std::vector<Hit> naive(const std::vector<float>& values, int64_t count) {
  std::vector<Hit> all;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0) all.push_back({static_cast<int32_t>(i), values[i]});
  }
  std::ranges::stable_sort(all, std::greater(), &Hit::value);
  all.resize(std::min(all.size(), static_cast<size_t>(count)));
  return all;
}

std::vector<int32_t> features_of(std::span<const Hit> hits) {
  std::vector<int32_t> features;
  for (const Hit& hit : hits) features.push_back(hit.feature);
  std::ranges::sort(features);
  return features;
}

TEST(Strongest, FindsWhatSortingFindsRowAfterRow) {
  constexpr int64_t kFeatures = 333;
  Strongest strongest(kFeatures);
  Rng rng(3);
  const std::vector<float> zeros(kFeatures);
  for (int row = 0; row < 50; ++row) {
    std::vector<float> values(kFeatures);
    for (float& value : values) value = static_cast<float>(rng.normal() * (1 + row % 7) - row % 3);
    std::vector<Hit> hits;
    const int64_t first = strongest.find(values.data(), zeros.data(), 40, 10, hits);
    const std::vector<Hit> wanted = naive(values, 40);
    ASSERT_EQ(hits.size(), wanted.size());
    ASSERT_EQ(first, std::min<int64_t>(10, std::ssize(wanted)));
    const auto near = static_cast<size_t>(first);
    EXPECT_EQ(features_of(std::span(hits).first(near)), features_of(std::span(wanted).first(near)));
    EXPECT_EQ(features_of(hits), features_of(wanted));
    EXPECT_TRUE(std::ranges::is_sorted(std::span(hits).first(near), {}, &Hit::feature));
    EXPECT_TRUE(std::ranges::is_sorted(std::span(hits).subspan(near), {}, &Hit::feature));
    for (const Hit& hit : hits) EXPECT_EQ(hit.value, values[static_cast<size_t>(hit.feature)]);
  }
}

TEST(Strongest, OfEqualValuesTakesTheLowerFeatures) {
  Strongest strongest(100);
  const std::vector<float> values(100, 1.5F);
  const std::vector<float> zeros(100);
  for (int again = 0; again < 2; ++again) {  // also with a guess from the row before
    std::vector<Hit> hits;
    EXPECT_EQ(strongest.find(values.data(), zeros.data(), 8, 3, hits), 3);
    EXPECT_EQ(features_of(hits), (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(features_of(std::span(hits).first(3)), (std::vector<int32_t>{0, 1, 2}));
  }
}

TEST(Strongest, TakesNothingThatIsNotAboveZero) {
  Strongest strongest(4);
  const std::vector<float> values = {-1, 0, 2, -0.0F};
  const std::vector<float> zeros(4);
  std::vector<Hit> hits;
  EXPECT_EQ(strongest.find(values.data(), zeros.data(), 3, 2, hits), 1);
  EXPECT_EQ(features_of(hits), (std::vector<int32_t>{2}));
}

TEST(Strongest, AmongAListTakesTheLargestOfItAlone) {
  Strongest strongest(6);
  const std::vector<float> values = {9, 1, 3, 2, -4, 8};
  const std::vector<float> zeros(6);
  std::vector<Hit> hits;
  strongest.find_among({1, 2, 3, 4}, values.data(), zeros.data(), 2, hits);
  EXPECT_EQ(features_of(hits), (std::vector<int32_t>{2, 3}));
}

}  // namespace
}  // namespace orthant::adapt
