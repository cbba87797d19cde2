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

// The distance that counts as usual around item i: to its tenth nearest, or its farthest known.
double usual_around(const search::Neighbours& found, int64_t i) {
  return distance(double{found.scores(i, std::min(found.k(), kTenth) - 1)});
}

// How near the n-th nearest is, as a share of what counts as a duplicate; below 1 it is one.
double nearness(const search::Neighbours& found, int64_t i, int64_t n, double usual, const CleanOptions& options) {
  const double near = distance(double{found.scores(i, n)});
  const double limit = options.near_ratio * usual_around(found, i);
  if (near <= kSame) return 0;
  // Where all are far from each other, being a little less so is no likeness.
  return near > usual || limit <= 0 ? 2 : near / limit;
}

void sort(std::vector<Suspect>& suspects) {
  std::ranges::stable_sort(suspects, std::ranges::greater(), &Suspect::score);
}

double usual_nearest(const search::Neighbours& found, const std::vector<bool>& skip) {
  std::vector<double> nearest;
  for (int64_t i = 0; i < found.queries(); ++i) {
    if (!skip[static_cast<size_t>(i)]) nearest.push_back(distance(double{found.scores(i, 0)}));
  }
  return median(std::move(nearest));
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
  facts.usual = usual_nearest(found, skip);
  std::vector<int64_t> parent(static_cast<size_t>(items));
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<double> nearest(parent.size(), 2);  // to anything in its group
  std::vector<int64_t> like(parent.size(), -1);
  for (int64_t i = 0; i < items; ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    for (int64_t n = 0; n < std::min(found.k(), kTenth); ++n) {
      const double near = nearness(found, i, n, facts.usual, options);
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
                        .distance = nearest[at] * options.near_ratio});
  }
  sort(suspects);
  return suspects;
}

std::vector<Suspect> leak_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                   const CleanOptions& options) {
  const double usual = usual_nearest(found, skip);
  std::vector<Suspect> suspects;
  for (int64_t i = 0; i < found.queries(); ++i) {
    if (skip[static_cast<size_t>(i)]) continue;
    const double near = nearness(found, i, 0, usual, options);
    if (near >= 1) continue;
    suspects.push_back({.kind = Kind::leak,
                        .item = i,
                        .score = 1 - near,
                        .other = found.indices(i, 0),
                        .distance = near * options.near_ratio});
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
