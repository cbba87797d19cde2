#include "orthant/fit/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "orthant/core/error.h"

namespace orthant::fit {
namespace {

constexpr double kDecrease = 1e-4;  // c1 and c2 of the strong Wolfe conditions
constexpr double kCurvature = 0.9;
constexpr int kSearchEvaluations = 25;
constexpr double kLeastCurvature = 1e-16;  // below it a pair would spoil the inverse Hessian

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest(std::span<const double> v) {
  double most = 0;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

struct Correction {
  std::vector<double> step;
  std::vector<double> change;
  double rho;
};

// The two-loop recursion: -H g.
std::vector<double> direction(const std::deque<Correction>& memory, std::span<const double> gradient) {
  std::vector<double> d(gradient.size());
  std::ranges::transform(gradient, d.begin(), std::negate());
  std::vector<double> alpha(memory.size());
  for (size_t i = memory.size(); i-- > 0;) {
    alpha[i] = memory[i].rho * dot(memory[i].step, d);
    for (size_t k = 0; k < d.size(); ++k) d[k] -= alpha[i] * memory[i].change[k];
  }
  if (!memory.empty()) {
    const Correction& last = memory.back();
    const double scale = 1 / (last.rho * dot(last.change, last.change));
    for (double& x : d) x *= scale;
  }
  for (size_t i = 0; i < memory.size(); ++i) {
    const double beta = memory[i].rho * dot(memory[i].change, d);
    for (size_t k = 0; k < d.size(); ++k) d[k] += (alpha[i] - beta) * memory[i].step[k];
  }
  return d;
}

struct Point {
  double step = 0;
  double value = 0;
  double slope = 0;
};

// Minimum of the cubic through both ends, kept off them; the middle where there is none.
double interpolate(const Point& a, const Point& b) {
  const double low = std::min(a.step, b.step);
  const double high = std::max(a.step, b.step);
  const double margin = 0.1 * (high - low);
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
  const double square = d1 * d1 - a.slope * b.slope;
  double best = 0.5 * (low + high);
  if (std::isfinite(square) && square >= 0) {
    const double d2 = std::copysign(std::sqrt(square), b.step - a.step);
    const double cubic = b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
    if (std::isfinite(cubic)) best = cubic;
  }
  return std::clamp(best, low + margin, high - margin);
}

class Search {
 public:
  Search(const Objective& objective, const LbfgsOptions& options) : objective_(objective), options_(options) {}

  // Moves x, value and gradient along d to a point that fulfils the strong Wolfe conditions, or at least lowers the
  // value; false leaves them as they were.
  bool run(Minimum& at, std::vector<double>& gradient, std::span<const double> d, double step) {
    start_ = {0, at.value, dot(gradient, d)};
    if (!(start_.slope < 0)) return false;
    x_ = at.x;
    const std::vector<double> origin = at.x;
    Point low = start_;
    Point high;
    bool bracketed = false;
    for (int tries = 0; tries < kSearchEvaluations; ++tries) {
      const Point now = evaluate(origin, d, step);
      ++at.evaluations;
      if (acceptable(now)) return take(at, gradient, now);
      if (!std::isfinite(now.value) || !decreases(now) || (low.step > 0 && now.value > low.value)) {
        high = now;
        bracketed = true;
      } else {
        if (!bracketed ? now.slope >= 0 : now.slope * (high.step - low.step) >= 0) {
          high = low;
          bracketed = true;
        }
        low = now;
        best_x_ = x_;
        best_gradient_ = gradient_;
      }
      step = bracketed ? (std::isfinite(high.value) ? interpolate(low, high) : low.step + 0.1 * (high.step - low.step))
                       : 2 * step;
      if (bracketed && std::abs(high.step - low.step) < 1e-12 * std::max(1.0, high.step)) break;
    }
    if (low.step == 0) return false;
    x_.swap(best_x_);
    gradient_.swap(best_gradient_);
    return take(at, gradient, low);
  }

 private:
  Point evaluate(std::span<const double> origin, std::span<const double> d, double step) {
    for (size_t k = 0; k < x_.size(); ++k) x_[k] = origin[k] + step * d[k];
    gradient_.resize(x_.size());
    const double value = objective_(x_, gradient_);
    return {step, value, dot(gradient_, d)};
  }
  bool decreases(const Point& p) const {
    const double noise = options_.noise * std::abs(start_.value);
    return p.value <= start_.value + kDecrease * p.step * start_.slope + noise;
  }
  bool acceptable(const Point& p) const {
    return std::isfinite(p.value) && std::isfinite(p.slope) && decreases(p) &&
           std::abs(p.slope) <= -kCurvature * start_.slope;
  }
  bool take(Minimum& at, std::vector<double>& gradient, const Point& p) {
    at.x.swap(x_);
    at.value = p.value;
    gradient.swap(gradient_);
    return true;
  }

  const Objective& objective_;
  const LbfgsOptions& options_;
  Point start_;
  std::vector<double> x_, gradient_, best_x_, best_gradient_;
};

void remember(std::deque<Correction>& memory, const LbfgsOptions& options, const std::vector<double>& x_before,
              const std::vector<double>& g_before, const std::vector<double>& x, const std::vector<double>& g) {
  Correction c{x, g, 0};
  for (size_t k = 0; k < x.size(); ++k) {
    c.step[k] -= x_before[k];
    c.change[k] -= g_before[k];
  }
  const double curvature = dot(c.step, c.change);
  if (!(curvature > kLeastCurvature * dot(c.change, c.change))) return;
  c.rho = 1 / curvature;
  memory.push_back(std::move(c));
  if (static_cast<int64_t>(memory.size()) > options.memory) memory.pop_front();
}

}  // namespace

Minimum minimise(const Objective& objective, std::vector<double> start, const LbfgsOptions& options) {
  Minimum at{.x = std::move(start)};
  std::vector<double> gradient(at.x.size());
  at.value = objective(at.x, gradient);
  at.evaluations = 1;
  check(std::isfinite(at.value) && std::isfinite(dot(gradient, gradient)),
        "[lbfgs] expected a finite value and gradient at the start, got ", at.value);
  std::deque<Correction> memory;
  Search search(objective, options);
  while (true) {
    at.gradient = largest(gradient);
    at.converged = at.gradient <= options.tolerance;
    if (at.converged || at.iterations >= options.max_iterations) break;
    const std::vector<double> x_before = at.x;
    const std::vector<double> g_before = gradient;
    const double first = std::min(1.0, 1 / std::sqrt(dot(gradient, gradient)));
    const bool moved = search.run(at, gradient, direction(memory, gradient), memory.empty() ? first : 1.0);
    if (!moved && memory.empty()) break;
    if (!moved) {
      memory.clear();  // once more along the gradient, in case the curvature misled
      continue;
    }
    ++at.iterations;
    remember(memory, options, x_before, g_before, at.x, gradient);
  }
  return at;
}

}  // namespace orthant::fit
