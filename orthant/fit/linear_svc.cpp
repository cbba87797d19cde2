#include "orthant/fit/linear_svc.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orthant::fit {
namespace {

// Count, sum and sum of squares of some values.
struct Moments {
  double n = 0;
  double x = 0;
  double xx = 0;

  Moments operator-(const Moments& other) const { return {n - other.n, x - other.x, xx - other.xx}; }
};

// Moments of all values below (or from) any bound, from running sums over the sorted values.
class SortedValues {
 public:
  void push_back(float x) {  // rising
    const Moments& last = below_.back();
    values_.push_back(x);
    below_.push_back({last.n + 1, last.x + x, last.xx + static_cast<double>(x) * x});
  }
  Moments below(double bound) const { return below_[index(bound)]; }
  Moments from(double bound) const { return below_.back() - below(bound); }
  Moments all() const { return below_.back(); }

 private:
  size_t index(double bound) const {
    return static_cast<size_t>(std::ranges::lower_bound(values_, bound, std::less<>()) - values_.begin());
  }

  std::vector<double> values_;
  std::vector<Moments> below_ = {{}};
};

// The problem of one class against the rest: how many of each violate the margin at (w, b) is decided by a bound on x.
struct Problem {
  const SortedValues& everything;
  const SortedValues& positive;
  double c_positive;
  double c_negative;

  struct Violating {
    Moments positive;  // w x + b < 1
    Moments negative;  // w x + b > -1
  };

  Violating violating(double w, double b) const {
    const auto split = [&](const SortedValues& values, double level, bool under) -> Moments {
      if (w == 0) return (under ? b < level : b > level) ? values.all() : Moments{};
      const double bound = (level - b) / w;
      return (w > 0) == under ? values.below(bound) : values.from(bound);
    };
    return {split(positive, 1, true), split(everything, -1, false) - split(positive, -1, false)};
  }

  // sum (s - w x - b)^2 of the moments' items.
  static double squares(const Moments& m, double s, double w, double b) {
    const double t = s - b;
    return t * t * m.n - 2 * t * w * m.x + w * w * m.xx;
  }

  double objective(double w, double b, const Violating& v) const {
    return (w * w + b * b) / 2 + c_positive * squares(v.positive, 1, w, b) + c_negative * squares(v.negative, -1, w, b);
  }
};

struct Line {
  double w = 0;
  double b = 0;
};

Line solve(const Problem& problem) {
  constexpr int kSteps = 200;
  constexpr double kTolerance = 1e-12;
  Line at;
  auto violating = problem.violating(at.w, at.b);
  double value = problem.objective(at.w, at.b, violating);
  for (int step = 0; step < kSteps; ++step) {
    const double cp = 2 * problem.c_positive;
    const double cn = 2 * problem.c_negative;
    const Moments& p = violating.positive;
    const Moments& n = violating.negative;
    const double hww = 1 + cp * p.xx + cn * n.xx;
    const double hwb = cp * p.x + cn * n.x;
    const double hbb = 1 + cp * p.n + cn * n.n;
    const double gw = hww * at.w + hwb * at.b - cp * p.x + cn * n.x;
    const double gb = hwb * at.w + hbb * at.b - cp * p.n + cn * n.n;
    const double determinant = hww * hbb - hwb * hwb;
    const double dw = -(hbb * gw - hwb * gb) / determinant;
    const double db = -(hww * gb - hwb * gw) / determinant;
    const double slope = gw * dw + gb * db;
    if (!(slope < -kTolerance * (1 + value))) break;
    double length = 1;
    for (; length > 1e-10; length /= 2) {
      const Line next{at.w + length * dw, at.b + length * db};
      const auto next_violating = problem.violating(next.w, next.b);
      const double next_value = problem.objective(next.w, next.b, next_violating);
      if (next_value > value + 1e-4 * length * slope) continue;
      at = next;
      violating = next_violating;
      value = next_value;
      break;
    }
    if (length <= 1e-10) break;
  }
  return at;
}

}  // namespace

int32_t LinearSvc::predict(double x) const {
  if (classes == 2) return slope[0] * x + intercept[0] > 0 ? 1 : 0;
  size_t best = 0;
  for (size_t k = 1; k < slope.size(); ++k) {
    if (slope[k] * x + intercept[k] > slope[best] * x + intercept[best]) best = k;
  }
  return static_cast<int32_t>(best);
}

LinearSvc fit_linear_svc(std::span<const float> x, std::span<const int32_t> classes, int64_t count, double c) {
  std::vector<int32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int32_t a, int32_t b) {
    const float xa = x[static_cast<size_t>(a)];
    const float xb = x[static_cast<size_t>(b)];
    return xa < xb || (xa == xb && a < b);
  });
  SortedValues everything;
  std::vector<SortedValues> by_class(static_cast<size_t>(count));
  for (const int32_t i : order) {
    everything.push_back(x[static_cast<size_t>(i)]);
    by_class[static_cast<size_t>(classes[static_cast<size_t>(i)])].push_back(x[static_cast<size_t>(i)]);
  }
  const auto balanced = [&](size_t k) {
    return c * static_cast<double>(x.size()) / (static_cast<double>(count) * by_class[k].all().n);
  };
  LinearSvc svc{.classes = count, .slope = {}, .intercept = {}};
  for (size_t k = count == 2 ? 1 : 0; k < by_class.size(); ++k) {
    const Line line = solve({everything, by_class[k], balanced(k), count == 2 ? balanced(0) : c});
    svc.slope.push_back(line.w);
    svc.intercept.push_back(line.b);
  }
  return svc;
}

}  // namespace orthant::fit
