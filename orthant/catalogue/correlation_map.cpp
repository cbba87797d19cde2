#include "orthant/catalogue/correlation_map.h"

#include <algorithm>
#include <cmath>

namespace orthant::catalogue {
namespace {

using Group = std::vector<size_t>;  // places in `chosen`, in the order in which they are drawn

// Turns the groups so that the two ends that meet are the most alike, and joins them.
Group joined(Group first, Group second, const Matrix64& alike) {
  const auto end = [&](size_t a, size_t b) { return alike(static_cast<int64_t>(a), static_cast<int64_t>(b)); };
  const double as_they_are = end(first.back(), second.front());
  const double second_turned = end(first.back(), second.back());
  const double first_turned = end(first.front(), second.front());
  const double both_turned = end(first.front(), second.back());
  const double best = std::max({as_they_are, second_turned, first_turned, both_turned});
  if (best > as_they_are) {
    if (best != second_turned) std::ranges::reverse(first);
    if (best == second_turned || best != first_turned) std::ranges::reverse(second);
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

struct Pair {
  size_t first = 0;
  size_t second = 0;
};

// The pair of groups with the largest mean similarity; each group knows its best partner behind it.
Pair most_alike(const std::vector<Group>& groups, const Matrix64& means, const std::vector<size_t>& partner) {
  Pair best;
  double most = -1;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty() || partner[i] == i) continue;
    const double mean = means(static_cast<int64_t>(i), static_cast<int64_t>(partner[i]));
    if (mean > most) {
      most = mean;
      best = {i, partner[i]};
    }
  }
  return best;
}

size_t partner_of(size_t i, const std::vector<Group>& groups, const Matrix64& means) {
  size_t best = i;
  double most = -1;
  for (size_t j = i + 1; j < groups.size(); ++j) {
    const double mean = means(static_cast<int64_t>(i), static_cast<int64_t>(j));
    if (!groups[j].empty() && mean > most) {
      most = mean;
      best = j;
    }
  }
  return best;
}

Group clustered(const Matrix64& alike) {
  const auto count = static_cast<size_t>(alike.rows());
  std::vector<Group> groups(count);
  std::vector<size_t> partner(count);
  Matrix64 means = alike;
  for (size_t i = 0; i < count; ++i) groups[i] = {i};
  for (size_t i = 0; i < count; ++i) partner[i] = partner_of(i, groups, means);
  for (size_t left = count; left > 1; --left) {
    const auto [kept, gone] = most_alike(groups, means, partner);
    const auto k = static_cast<int64_t>(kept);
    const auto g = static_cast<int64_t>(gone);
    const auto size = static_cast<double>(groups[kept].size());
    const auto size_gone = static_cast<double>(groups[gone].size());
    for (int64_t j = 0; j < means.cols(); ++j) {
      means(k, j) = means(j, k) = (size * means(k, j) + size_gone * means(g, j)) / (size + size_gone);
    }
    groups[kept] = joined(std::move(groups[kept]), std::move(groups[gone]), alike);
    groups[gone].clear();
    for (size_t i = 0; i < count; ++i) {
      if (!groups[i].empty()) partner[i] = partner_of(i, groups, means);
    }
  }
  return count > 0 ? groups.front() : Group{};
}

}  // namespace

CorrelationMap correlation_map(const Matrix& cosines, std::span<const int64_t> chosen) {
  const auto count = static_cast<int64_t>(chosen.size());
  Matrix64 alike(count, count);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      alike(i, j) =
          std::min(1.0, std::abs(double{cosines(chosen[static_cast<size_t>(i)], chosen[static_cast<size_t>(j)])}));
    }
  }
  CorrelationMap map;
  const Group order = clustered(alike);
  for (const size_t i : order) {
    map.order.push_back(chosen[i]);
    for (const size_t j : order) {
      map.values.push_back(
          static_cast<uint8_t>(std::lround(255 * alike(static_cast<int64_t>(i), static_cast<int64_t>(j)))));
    }
  }
  return map;
}

}  // namespace orthant::catalogue
