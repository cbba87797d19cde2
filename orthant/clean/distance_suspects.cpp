#include "orthant/clean/distance_suspects.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace orthant::clean {
namespace {

constexpr int64_t kTenth = 10;
constexpr double kSame = 1e-3;  // what rounding leaves between rows that are equal

double distance(double cosine) { return std::sqrt(std::max(2 - 2 * cosine, 0.0)); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

// How near counts as a likeness.
struct NearRule {
  double usual = 0;  // median distance to the nearest: where all are far apart, being a little less so is no likeness
  double limit = 0;  // of the distance to the nearest, as a share of that to the tenth nearest
  double dimension = 0;
  double expected = 0;  // items that are as near by chance
};

double ratio(const search::Neighbours& found, int64_t i, int64_t n) {
  const double near = distance(double{found.scores(i, n)});
  const double tenth = distance(double{found.scores(i, std::min(found.k(), kTenth) - 1)});
  return near <= kSame ? 0 : tenth <= 0 ? 1 : near / tenth;
}

// Points that lie evenly around an item in m dimensions have (d1 / dK)^m distributed as the smallest of K - 1 uniform
// numbers. The median of the ratio gives m, and m the ratio that one item in a hundred falls below by chance.
NearRule near_rule(const search::Neighbours& found, const std::vector<bool>& skip, const CleanOptions& options) {
  std::vector<double> nearest;
  std::vector<double> ratios;
  for (int64_t i = 0; i < found.queries(); ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    nearest.push_back(distance(double{found.scores(i, 0)}));
    ratios.push_back(ratio(found, i, 0));
  }
  NearRule rule{.usual = median(nearest)};
  const double others = static_cast<double>(std::min(found.k(), kTenth) - 1);
  const double middle = median(std::move(ratios));
  if (others < 1 || middle <= 0 || middle >= 1) return rule;  // equal rows alone are duplicates then
  rule.dimension = std::log(1 - std::pow(0.5, 1 / others)) / std::log(middle);
  const double by_chance = std::pow(1 - std::pow(1 - options.near_chance, 1 / others), 1 / rule.dimension);
  rule.limit = std::min(options.near_ratio, by_chance);
  rule.expected =
      static_cast<double>(nearest.size()) * (1 - std::pow(1 - std::pow(rule.limit, rule.dimension), others));
  return rule;
}

// How near the n-th nearest is, as a share of what counts as a duplicate; below 1 it is one.
double nearness(const search::Neighbours& found, int64_t i, int64_t n, const NearRule& rule) {
  const double share = ratio(found, i, n);
  if (share == 0) return 0;
  return rule.limit <= 0 || distance(double{found.scores(i, n)}) > rule.usual ? 2 : share / rule.limit;
}

void sort(std::vector<Suspect>& suspects) {
  std::ranges::stable_sort(suspects, std::ranges::greater(), &Suspect::score);
}

int64_t root(std::vector<int64_t>& parent, int64_t i) {
  while (parent[static_cast<size_t>(i)] != i) {
    auto& above = parent[static_cast<size_t>(i)];
    above = parent[static_cast<size_t>(above)];
    i = above;
  }
  return i;
}

}  // namespace

std::vector<Suspect> duplicate_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                        const CleanOptions& options, DistanceFacts& facts) {
  const int64_t items = found.queries();
  const NearRule rule = near_rule(found, skip, options);
  facts.usual = rule.usual;
  facts.dimension = rule.dimension;
  facts.duplicates_expected = rule.expected;
  std::vector<int64_t> parent(static_cast<size_t>(items));
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<double> nearest(parent.size(), 2);  // to anything in its group
  std::vector<int64_t> like(parent.size(), -1);
  for (int64_t i = 0; i < items; ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    for (int64_t n = 0; n < std::min(found.k(), kTenth); ++n) {
      const double near = nearness(found, i, n, rule);
      if (near >= 1) break;
      const int64_t other = found.indices(i, n);
      if (skip[static_cast<size_t>(other)]) continue;
      const int64_t a = root(parent, i);
      const int64_t b = root(parent, other);
      parent[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
      for (const auto& [one, mate] : {std::pair(i, other), std::pair(other, i)}) {
        if (near >= nearest[static_cast<size_t>(one)]) continue;
        nearest[static_cast<size_t>(one)] = near;
        like[static_cast<size_t>(one)] = mate;
      }
    }
  }
  std::vector<Suspect> suspects;
  for (int64_t i = 0; i < items; ++i) {
    const auto at = static_cast<size_t>(i);
    if (root(parent, i) == i) continue;
    suspects.push_back({.kind = Kind::duplicate,
                        .item = i,
                        .score = 1 - nearest[at],
                        .other = like[at],
                        .distance = nearest[at] * rule.limit});
  }
  sort(suspects);
  return suspects;
}

std::vector<Suspect> leak_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                   const CleanOptions& options) {
  const NearRule rule = near_rule(found, skip, options);
  std::vector<Suspect> suspects;
  for (int64_t i = 0; i < found.queries(); ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    const double near = nearness(found, i, 0, rule);
    if (near >= 1) continue;
    suspects.push_back({.kind = Kind::leak,
                        .item = i,
                        .score = 1 - near,
                        .other = found.indices(i, 0),
                        .distance = near * rule.limit});
  }
  sort(suspects);
  return suspects;
}

std::vector<Suspect> outlier_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                      const CleanOptions& options, DistanceFacts& facts) {
  const int64_t width = std::min(found.k(), kTenth);
  std::vector<double> mean(static_cast<size_t>(found.queries()));
  std::vector<double> judged;
  for (int64_t i = 0; i < found.queries(); ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    double sum = 0;
    for (int64_t n = 0; n < width; ++n) sum += distance(double{found.scores(i, n)});
    mean[static_cast<size_t>(i)] = sum / static_cast<double>(width);
    judged.push_back(mean[static_cast<size_t>(i)]);
  }
  facts.far = median(judged);
  std::vector<double> off;
  for (const double value : judged) off.push_back(std::abs(value - facts.far));
  const double deviation = 1.4826 * median(std::move(off));
  facts.outliers_expected = 0.5 * std::erfc(options.far_deviations / std::sqrt(2)) * static_cast<double>(judged.size());
  std::vector<Suspect> suspects;
  for (int64_t i = 0; i < found.queries() && deviation > 0; ++i) {
    const double beyond = (mean[static_cast<size_t>(i)] - facts.far) / deviation;
    if (skip[static_cast<size_t>(i)] || beyond < options.far_deviations) continue;
    suspects.push_back({.kind = Kind::outlier,
                        .item = i,
                        .score = 1 - options.far_deviations / (2 * beyond),
                        .distance = mean[static_cast<size_t>(i)] / facts.far});
  }
  sort(suspects);
  return suspects;
}

}  // namespace orthant::clean
