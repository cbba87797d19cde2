#pragma once

#include "orthant/core/matrix.h"

namespace orthant::layout {

// Points [N, 2] moved and scaled into the square [-1, 1]^2 that maps are drawn in, one scale for both axes, so that a
// few far away do not squash the rest.
//
// An axis' core is the interval between the points at its first and its last hundredth. A point is an outlier if it
// lies more than a quarter of the longer core outside the core of an axis. Without outliers the box around all points
// is centred and its longer side fills the square. With outliers the box around the others fills [-0.95, 0.95], and
// what lies outside that is drawn into the margin: u becomes 1 - 0.0025 / (u - 0.9), which goes on smoothly and keeps
// the order along the axis. Where both cores are single points nothing is an outlier. Points that are all equal are
// drawn at 0.
//
// The points must be finite; so is the result.
Matrix frame(const Matrix64& points);

}  // namespace orthant::layout
