#include "orthant/pairing/sharing.h"

#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/measure/activity.h"
#include "orthant/pairing/owners.h"

namespace orthant::pairing {
namespace {

void fill(const Features& features, int64_t row, double threshold, std::vector<double>& sizes) {
  std::ranges::fill(sizes, 0.0);
  features.visit_row(row, [&](int64_t k, float x) {
    const double size = std::abs(static_cast<double>(x));
    if (size > threshold) sizes[static_cast<size_t>(k)] = size;
  });
}

Sharing share_of(const std::vector<double>& a, const std::vector<double>& b) {
  double both = 0;
  double either = 0;
  double mass_a = 0;
  double mass_b = 0;
  Sharing shared;
  for (size_t k = 0; k < a.size(); ++k) {
    mass_a += a[k];
    mass_b += b[k];
    either += a[k] > 0 || b[k] > 0 ? 1 : 0;
    if (a[k] == 0 || b[k] == 0) continue;
    both += 1;
    shared.mass_a += a[k];
    shared.mass_b += b[k];
  }
  if (both == 0) return {};
  return {.jaccard = both / either, .mass_a = shared.mass_a / mass_a, .mass_b = shared.mass_b / mass_b};
}

}  // namespace

Sharing sharing(const Features& a, const Features& b, std::span<const int64_t> owner, double threshold) {
  check_owners(a.rows(), b.rows(), owner);
  check(a.cols() == b.cols(), "[pairs] expected as many features on both sides, got ", a.cols(), " and ", b.cols());
  check(threshold > 0, "[pairs] expected a threshold above 0, got ", threshold);
  std::vector<double> first(static_cast<size_t>(a.cols()));
  std::vector<double> second(first.size());
  Sharing sum;
  for (int64_t j = 0; j < b.rows(); ++j) {
    fill(a, owner[static_cast<size_t>(j)], threshold, first);
    fill(b, j, threshold, second);
    const Sharing one = share_of(first, second);
    sum.jaccard += one.jaccard;
    sum.mass_a += one.mass_a;
    sum.mass_b += one.mass_b;
  }
  const auto rows = static_cast<double>(b.rows());
  return {.jaccard = sum.jaccard / rows, .mass_a = sum.mass_a / rows, .mass_b = sum.mass_b / rows};
}

std::vector<int64_t> other_owners(std::span<const int64_t> owner, int64_t items, uint64_t seed) {
  check(items > 1, "[pairs] expected at least two items, got ", items);
  Rng rng(seed);
  std::vector<int64_t> others;
  for (const int64_t own : owner) {
    const auto drawn = static_cast<int64_t>(rng.below(static_cast<uint64_t>(items - 1)));
    others.push_back(drawn + (drawn >= own ? 1 : 0));
  }
  return others;
}

LiveFeatures live_in_both(const Features& a, const Features& b, double threshold) {
  std::vector<int> live(static_cast<size_t>(a.cols()));
  for (const int64_t k : measure::live_features(a, {.threshold = threshold})) live[static_cast<size_t>(k)] += 1;
  for (const int64_t k : measure::live_features(b, {.threshold = threshold})) live[static_cast<size_t>(k)] += 2;
  return {.both = std::ranges::count(live, 3),
          .only_a = std::ranges::count(live, 1),
          .only_b = std::ranges::count(live, 2),
          .neither = std::ranges::count(live, 0)};
}

}  // namespace orthant::pairing
