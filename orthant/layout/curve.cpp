#include "orthant/layout/curve.h"

#include <cmath>

namespace orthant::layout {
namespace {

constexpr int kPlaces = 300;
constexpr double kReach = 3;

// Squares, and the normal equations of a Gauss-Newton step.
struct Fit {
  double squares = 0;
  double aa = 0, ab = 0, bb = 0;
  double ra = 0, rb = 0;
};

Fit fit_at(const Curve& curve, double min_dist) {
  Fit fit;
  for (int place = 1; place < kPlaces; ++place) {  // at 0 both are 1
    const double x = kReach * place / (kPlaces - 1);
    const double wanted = x <= min_dist ? 1 : std::exp(min_dist - x);
    const double power = std::pow(x, 2 * curve.b);
    const double value = 1 / (1 + curve.a * power);
    const double residual = wanted - value;
    const double by_a = -value * value * power;
    const double by_b = by_a * curve.a * 2 * std::log(x);
    fit.squares += residual * residual;
    fit.aa += by_a * by_a;
    fit.ab += by_a * by_b;
    fit.bb += by_b * by_b;
    fit.ra += by_a * residual;
    fit.rb += by_b * residual;
  }
  return fit;
}

}  // namespace

// Levenberg and Marquardt's method.
Curve fit_curve(double min_dist) {
  Curve curve;
  double damping = 1e-3;
  Fit fit = fit_at(curve, min_dist);
  for (int step = 0; step < 200; ++step) {
    const double aa = fit.aa * (1 + damping);
    const double bb = fit.bb * (1 + damping);
    const double determinant = aa * bb - fit.ab * fit.ab;
    const Curve next{curve.a + (bb * fit.ra - fit.ab * fit.rb) / determinant,
                     curve.b + (aa * fit.rb - fit.ab * fit.ra) / determinant};
    const Fit better = next.a > 0 && next.b > 0 ? fit_at(next, min_dist) : Fit{.squares = INFINITY};
    if (better.squares < fit.squares) {
      curve = next;
      fit = better;
      damping /= 10;
    } else {
      damping *= 10;
    }
  }
  return curve;
}

}  // namespace orthant::layout
