#include <algorithm>
#include <cmath>

#include "orthant/index/search.h"

namespace orthant::index {

std::vector<Contribution> contributions(const Index& index, const Query& query, const Item& item) {
  const Segment& segment = index.segment(item);
  std::vector<Contribution> parts;
  double squares = 0;
  double wanted = 0;
  for (const query::Weight& weight : query.weights) wanted += double{weight.weight} * weight.weight;
  auto at = query.weights.begin();
  segment.visit_row(segment.position(item.number), [&](int64_t column, float x) {
    squares += double{x} * x;
    while (at != query.weights.end() && at->feature < column) ++at;
    if (at == query.weights.end() || at->feature != column || at->weight == 0) return;
    parts.push_back({column, at->weight, x, double{at->weight} * x});
  });
  if (index.metric() == Metric::cosine) {
    const double lengths = std::sqrt(wanted) * std::sqrt(squares);
    for (Contribution& part : parts) part.share /= lengths;
  }
  std::ranges::stable_sort(parts, std::greater(), [](const Contribution& part) { return std::abs(part.share); });
  return parts;
}

Query query_of(const Index& index, const Item& item) {
  const Segment& segment = index.segment(item);
  Query query;
  query.itself = item;
  segment.visit_row(segment.position(item.number), [&](int64_t column, float x) {
    query.weights.push_back({column, x});
  });
  return query;
}

}  // namespace orthant::index
