#include "orthant/theory/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orthant::theory {

double activate(double theta, Activation activation) {
  return activation == Activation::identity ? theta : std::max(theta, 0.0);
}

double slope(double theta, Activation activation) {
  switch (activation) {
    case Activation::identity:
      return 1;
    case Activation::relu:
      return theta > 0 ? 1 : 0;
    case Activation::rep_relu:
      break;
  }
  const double cumulative = 0.5 * std::erfc(-theta / std::numbers::sqrt2);
  const double density = std::exp(-theta * theta / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return cumulative + theta * density;
}

}  // namespace orthant::theory
