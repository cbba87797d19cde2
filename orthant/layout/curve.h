#pragma once

namespace orthant::layout {

// How likely two items that lie x apart in the picture are neighbours: 1 / (1 + a x^2b).
struct Curve {
  double a = 1;
  double b = 1;
};

// The curve closest, in squares at 300 places from 0 to 3, to 1 up to min_dist and exp(-(x - min_dist)) beyond; for
// 0.1, a = 1.577 and b = 0.895. min_dist from 0 to 1.
Curve fit_curve(double min_dist);

}  // namespace orthant::layout
