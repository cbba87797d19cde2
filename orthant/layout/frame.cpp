#include "orthant/layout/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace orthant::layout {
namespace {

constexpr double kMargin = 0.05;

struct Interval {
  double low = 0;
  double high = 0;
  double length() const { return high - low; }
};

Interval core_of(const Matrix64& points, int64_t axis) {
  std::vector<double> values(static_cast<size_t>(points.rows()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = points(static_cast<int64_t>(i), axis);
  std::ranges::sort(values);
  const size_t cut = values.size() / 100;
  return {values[cut], values[values.size() - 1 - cut]};
}

Interval extent_within(const Matrix64& points, int64_t axis, const std::array<Interval, 2>& fences) {
  Interval extent{INFINITY, -INFINITY};
  for (int64_t i = 0; i < points.rows(); ++i) {
    const bool inside = points(i, 0) >= fences[0].low && points(i, 0) <= fences[0].high &&
                        points(i, 1) >= fences[1].low && points(i, 1) <= fences[1].high;
    if (!inside) continue;
    extent = {std::min(extent.low, points(i, axis)), std::max(extent.high, points(i, axis))};
  }
  return extent;
}

double squeeze(double u) {
  const double edge = 1 - kMargin;
  if (std::abs(u) <= edge) return u;
  return std::copysign(1 - kMargin * kMargin / (std::abs(u) - edge + kMargin), u);
}

}  // namespace

Matrix frame(const Matrix64& points) {
  Matrix framed(points.rows(), 2);
  if (points.rows() == 0) return framed;
  constexpr Interval kEverything{-INFINITY, INFINITY};
  std::array<Interval, 2> fences{core_of(points, 0), core_of(points, 1)};
  const double slack = std::max(fences[0].length(), fences[1].length()) / 4;
  for (Interval& fence : fences) {
    fence = slack > 0 ? Interval{fence.low - slack, fence.high + slack} : kEverything;
  }
  const std::array<Interval, 2> boxes{extent_within(points, 0, fences), extent_within(points, 1, fences)};
  const bool outliers = extent_within(points, 0, {kEverything, kEverything}).length() > boxes[0].length() ||
                        extent_within(points, 1, {kEverything, kEverything}).length() > boxes[1].length();
  const double half = std::max(boxes[0].length(), boxes[1].length()) / 2;
  if (!(half > 0)) return framed;
  const double reach = outliers ? 1 - kMargin : 1;
  for (int64_t i = 0; i < points.rows(); ++i) {
    for (int64_t axis = 0; axis < 2; ++axis) {
      const Interval& box = boxes[static_cast<size_t>(axis)];
      const double u = (points(i, axis) - box.low - box.length() / 2) / half * reach;
      framed(i, axis) = static_cast<float>(outliers ? squeeze(u) : std::clamp(u, -1.0, 1.0));
    }
  }
  return framed;
}

}  // namespace orthant::layout
