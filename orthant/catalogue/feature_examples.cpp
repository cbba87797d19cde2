#include "orthant/catalogue/feature_examples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/catalogue/feature_survey.h"
#include "orthant/core/rng.h"
#include "orthant/data/subset.h"

namespace orthant::catalogue {
namespace {

constexpr int64_t kBands = 10;
constexpr int64_t kInBand = 8;
constexpr int64_t kRanges = 20;

void keep_first(std::vector<Activation>& list, int64_t most, float (*strength)(float)) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, static_cast<int64_t>(list.size())));
  const auto stronger = [&](const Activation& a, const Activation& b) {
    const float left = strength(a.value);
    const float right = strength(b.value);
    return left != right ? left > right : a.item < b.item;
  };
  if (kept == std::ssize(list)) {
    std::ranges::sort(list, stronger);  // in half the time
  } else {
    std::partial_sort(list.begin(), list.begin() + kept, list.end(), stronger);
  }
  list.resize(static_cast<size_t>(kept));
}

}  // namespace

float largest(const search::Columns& columns, int64_t f) {
  float most = -std::numeric_limits<float>::infinity();
  int64_t seen = 0;
  columns.visit(f, [&](int64_t, float x) {
    most = std::max(most, x);
    ++seen;
  });
  return seen < columns.items() ? std::max(most, 0.0F) : most;
}

std::vector<Activation> strongest(const search::Columns& columns, int64_t f, int64_t most, Side side) {
  const float sign = side == Side::kPositive ? 1.0F : -1.0F;
  std::vector<Activation> list;
  columns.visit(f, [&](int64_t item, float x) {
    if (sign * x > kFiringThreshold) list.push_back({item, x});
  });
  keep_first(list, most, [](float x) { return std::abs(x); });
  return list;
}

std::vector<QuantileBand> quantile_bands(std::span<const Activation> ordered) {
  const auto count = static_cast<int64_t>(ordered.size());
  std::vector<QuantileBand> bands;
  for (int64_t k = 0; k < kBands; ++k) {
    const int64_t begin = k * count / kBands;
    const int64_t size = (k + 1) * count / kBands - begin;
    QuantileBand band{.from = static_cast<double>(kBands - 1 - k) / kBands,
                      .to = static_cast<double>(kBands - k) / kBands};
    const int64_t kept = std::min(kInBand, size);
    for (int64_t i = 0; i < kept; ++i) {
      const int64_t at = kept > 1 ? i * (size - 1) / (kept - 1) : 0;
      band.items.push_back(ordered[static_cast<size_t>(begin + at)]);
    }
    if (size > 0) {
      band.high = band.items.front().value;
      band.low = ordered[static_cast<size_t>(begin + size - 1)].value;
    }
    bands.push_back(std::move(band));
  }
  return bands;
}

std::vector<int64_t> silent_items(const search::Columns& columns, int64_t f, int64_t most) {
  const int64_t silent = columns.items() - columns.firing(f);
  constexpr uint16_t kSilentStream = 0xff40;
  Rng rng(StreamKey{.sample = static_cast<uint64_t>(f), .view = kSilentStream});
  const auto places = choose(silent, std::min(most, silent), rng);
  // The silent ones between two items that fire are a range of places.
  std::vector<int64_t> items;
  int64_t place = 0;
  int64_t begin = 0;
  const auto take_until = [&](int64_t end) {
    while (items.size() < places.size() && places[items.size()] < place + end - begin) {
      items.push_back(begin + places[items.size()] - place);
    }
    place += end - begin;
    begin = end + 1;
  };
  columns.visit_firing(f, take_until);
  take_until(columns.items());
  return items;
}

Histogram firing_histogram(const search::Columns& columns, int64_t f) {
  std::vector<double> values;
  double low = 0;
  double high = 0;
  columns.visit(f, [&](int64_t, float x) {
    if (std::abs(x) <= kFiringThreshold) return;
    values.push_back(x);
    low = std::min(low, double{x});
    high = std::max(high, double{x});
  });
  return histogram(values, low, values.empty() ? 1 : high, kRanges);
}

std::vector<Activation> anchor_items(const search::Columns& columns, std::span<const int32_t> active, int64_t f,
                                     int64_t most) {
  std::vector<Activation> list;
  columns.visit(f, [&](int64_t item, float x) {
    if (std::abs(x) > kFiringThreshold && active[static_cast<size_t>(item)] == 1) list.push_back({item, x});
  });
  keep_first(list, most, [](float x) { return std::abs(x); });
  return list;
}

std::vector<CofiringFeature> cofiring_features(const search::Columns& columns, int64_t f, int64_t most) {
  std::vector<CofiringFeature> list;
  const std::vector<int64_t> together = columns.firing_with(f);
  for (int64_t g = 0; g < columns.features(); ++g) {
    const int64_t both = g != f ? together[static_cast<size_t>(g)] : 0;
    if (both == 0) continue;
    const auto own = static_cast<double>(columns.firing(f));
    const auto other = static_cast<double>(columns.firing(g));
    const auto common = static_cast<double>(both);
    list.push_back(
        {g, both, common / (own + other - common), common * static_cast<double>(columns.items()) / (own * other)});
  }
  std::ranges::stable_sort(list, std::ranges::greater(), &CofiringFeature::jaccard);
  list.resize(std::min(list.size(), static_cast<size_t>(most)));
  return list;
}

}  // namespace orthant::catalogue
