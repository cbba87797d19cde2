#include "orthant/index/prepared.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/index/kernels.h"

namespace orthant::index {
namespace {

constexpr double kStrongest = 0.75;  // of the sum

// The largest weights, which make most of their sum; 0 for the others.
std::vector<float> strongest(const std::vector<float>& weights) {
  std::vector<float> sorted = weights;
  std::ranges::sort(sorted, std::greater());
  double left = kStrongest * std::accumulate(sorted.begin(), sorted.end(), 0.0);
  float least = 0;
  for (size_t n = 0; n < sorted.size() && left > 0; ++n) {
    left -= sorted[n];
    least = sorted[n];
  }
  std::vector<float> kept = weights;
  for (float& weight : kept) weight = weight >= least ? weight : 0;
  return kept;
}

}  // namespace

Prepared::Prepared(const Index& index, const Query& query) : query_(&query), metric_(index.metric()) {
  int64_t before = -1;
  double squares = 0;
  for (const query::Weight& weight : query.weights) {
    check(weight.feature > before && weight.feature < index.features(), "[search] expected features from 0 to ",
          index.features() - 1, ", each once and in order, got ", weight.feature, " after ", before);
    check(std::isfinite(weight.weight), "[search] expected finite weights, got ", weight.weight, " for feature ",
          weight.feature);
    before = weight.feature;
    squares += double{weight.weight} * weight.weight;
    double top = 0;
    for (const Segment& segment : index.segments()) {
      top = std::max(top, double{segment.tops()[static_cast<size_t>(weight.feature)]});
    }
    sum_ += std::abs(double{weight.weight}) * top;
  }
  length_ = std::sqrt(squares);
  if (!(sum_ > 0)) {
    sum_ = 0;
    return;
  }
  margin_ = 1.01F / 65535.0F + static_cast<float>(query.weights.size() + 8) * 0x1.0p-23F;
  for (const Segment& segment : index.segments()) {
    Part& part = parts_.emplace_back();
    for (const query::Weight& weight : query.weights) {
      const auto j = static_cast<size_t>(weight.feature);
      const double top = segment.tops()[j];
      if (weight.weight == 0 || !(top > 0)) continue;
      const double share = weight.weight / sum_;
      part.columns.push_back(weight.feature);
      part.lists.push_back(static_cast<float>(share * top / 65535));
      part.bounds.push_back(static_cast<float>(std::max(0.0, share) * top / 255));
      part.rows.push_back(static_cast<float>(segment.steps().empty() ? share : share * segment.steps()[j]));
      positive_ = positive_ && part.lists.back() > 1e-30F && std::abs(part.rows.back()) > 1e-30F;
    }
    part.estimates = strongest(part.bounds);
  }
}

double Prepared::score(const Segment& segment, int64_t position) const {
  double product = 0;
  double squares = 0;
  auto at = query_->weights.begin();
  segment.visit_row(position, [&](int64_t column, float x) {
    squares += double{x} * x;
    while (at != query_->weights.end() && at->feature < column) ++at;
    if (at != query_->weights.end() && at->feature == column) product += double{at->weight} * x;
  });
  if (metric_ == Metric::dot) return product;
  const double lengths = length_ * std::sqrt(squares);
  return lengths > 0 ? product / lengths : 0;
}

void Prepared::add(const Segment& segment, const Part& part, const std::vector<float>& weights, int64_t begin,
                   int64_t end, float* scores) {
  for (size_t n = 0; n < part.columns.size(); ++n) {
    if (weights[n] > 0) add_levels(segment.bounds(part.columns[n]).data() + begin, end - begin, weights[n], scores);
  }
}

}  // namespace orthant::index
