#include "orthant/layout/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace orthant::layout {
namespace {

double squares(const Curve& curve, double min_dist) {
  double sum = 0;
  for (int place = 0; place < 300; ++place) {
    const double x = 3.0 * place / 299;
    const double wanted = x <= min_dist ? 1 : std::exp(min_dist - x);
    const double off = wanted - 1 / (1 + curve.a * std::pow(x, 2 * curve.b));
    sum += off * off;
  }
  return sum;
}

TEST(Curve, HasThePublishedParametersForTheUsualDistance) {
  const Curve curve = fit_curve(0.1);
  EXPECT_NEAR(curve.a, 1.577, 1e-3);
  EXPECT_NEAR(curve.b, 0.8951, 1e-3);
}

TEST(Curve, NoOtherNearbyFitsBetter) {
  for (const double min_dist : {0.0, 0.001, 0.1, 0.25, 0.5, 0.8, 1.0}) {
    const Curve best = fit_curve(min_dist);
    const double least = squares(best, min_dist);
    for (const double a : {-0.01, 0.0, 0.01}) {
      for (const double b : {-0.01, 0.0, 0.01}) {
        EXPECT_LE(least, squares({best.a * (1 + a), best.b * (1 + b)}, min_dist) + 1e-12) << min_dist;
      }
    }
  }
}

}  // namespace
}  // namespace orthant::layout
