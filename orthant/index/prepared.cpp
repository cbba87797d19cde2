#include "orthant/index/prepared.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/index/kernels.h"

namespace orthant::index {
namespace {

constexpr double kStrongest = 0.6;  // of the sum

// The largest weights, which make most of their sum, as whole numbers.
void choose_strongest(Prepared::Part& part) {
  std::vector<size_t> order(part.columns.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](size_t n) { return part.bounds[n]; });
  double left = kStrongest * std::accumulate(part.bounds.begin(), part.bounds.end(), 0.0);
  for (const size_t n : order) {
    if (!(left > 0)) break;
    left -= part.bounds[n];
    part.strong.push_back(part.columns[n]);
    part.estimates.push_back(static_cast<uint16_t>(65535.0 * 255 * part.bounds[n]));
  }
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
      positive_ = positive_ && part.lists.back() > 1e-30F;
    }
    choose_strongest(part);
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

void Prepared::add_bounds(const Segment& segment, int64_t number, int64_t begin, int64_t end, float* scores) const {
  const Part& of = part(number);
  for (size_t n = 0; n < of.columns.size(); ++n) {
    if (of.bounds[n] > 0) add_levels(segment.bounds(of.columns[n]).data() + begin, end - begin, of.bounds[n], scores);
  }
}

void Prepared::estimate_blocks(const Segment& segment, int64_t number, uint16_t* sums, uint16_t* most) const {
  const Part& of = part(number);
  std::vector<const uint8_t*> levels;
  for (const int64_t column : of.strong) levels.push_back(segment.bounds(column).data());
  estimate(levels, of.estimates, segment.entry().blocks(), sums, most);
}

}  // namespace orthant::index
