#include "orthant/measure/communities.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "orthant/core/error.h"

namespace orthant::measure {
namespace {

template <class Key>
double entropy(const std::map<Key, double>& counts, double total) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum -= count / total * std::log(count / total);
  return sum;
}

}  // namespace

std::vector<int64_t> communities(const Features& features, double threshold) {
  std::vector<int64_t> parts(static_cast<size_t>(features.rows()), -1);
  for (int64_t i = 0; i < features.rows(); ++i) {
    float most = 0;
    int64_t& part = parts[static_cast<size_t>(i)];
    features.visit_row(i, [&](int64_t f, float value) {
      if (static_cast<double>(value) <= threshold || (part >= 0 && value <= most)) return;
      most = value;
      part = f;
    });
  }
  return parts;
}

std::optional<CommunityAgreement> community_agreement(std::span<const int64_t> parts, std::span<const int64_t> labels) {
  check(parts.size() == labels.size(), "[communities] expected a label for each of ", parts.size(), " items, got ",
        labels.size());
  std::map<int64_t, double> part_sizes;
  std::map<int64_t, double> class_sizes;
  std::map<std::pair<int64_t, int64_t>, double> both;
  double total = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (labels[i] < 0) continue;
    ++part_sizes[parts[i]];
    ++class_sizes[labels[i]];
    ++both[{parts[i], labels[i]}];
    ++total;
  }
  if (total == 0) return std::nullopt;
  std::map<int64_t, double> largest;
  for (const auto& [key, count] : both) largest[key.first] = std::max(largest[key.first], count);
  CommunityAgreement found;
  found.parts = std::ssize(part_sizes);
  for (const auto& [part, count] : largest) found.purity += count / total;
  const double of_parts = entropy(part_sizes, total);
  const double of_classes = entropy(class_sizes, total);
  const double shared = of_parts + of_classes - entropy(both, total);
  if (of_parts + of_classes > 0) found.nmi = std::clamp(2 * shared / (of_parts + of_classes), 0.0, 1.0);
  return found;
}

std::optional<double> modularity(std::span<const int64_t> parts, std::span<const Edge> edges) {
  std::map<int64_t, double> degree;
  double within = 0;
  double total = 0;
  const auto part_of = [&parts](int64_t item) {
    check(item >= 0 && item < std::ssize(parts), "[communities] expected edges of items from 0 to ", parts.size() - 1,
          ", got ", item);
    const int64_t part = parts[static_cast<size_t>(item)];
    return part >= 0 ? part : -1 - item;
  };
  for (const Edge& edge : edges) {
    const int64_t a = part_of(edge.first);
    const int64_t b = part_of(edge.second);
    degree[a] += edge.weight;
    degree[b] += edge.weight;
    within += a == b ? edge.weight : 0;
    total += edge.weight;
  }
  if (total <= 0) return std::nullopt;
  double expected = 0;
  for (const auto& [part, weight] : degree) expected += weight * weight / (4 * total * total);
  return within / total - expected;
}

}  // namespace orthant::measure
