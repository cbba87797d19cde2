#include "orthant/report/contrast.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::report {
namespace {

constexpr float kFiring = 1e-5F;

}  // namespace

Contrast contrast(const Features& features, const std::vector<bool>& chosen) {
  check(std::ssize(chosen) == features.rows(), "[contrast] expected a flag for each of ", features.rows(),
        " items, got ", chosen.size());
  Contrast result;
  result.features.resize(static_cast<size_t>(features.cols()));
  std::vector<double> squares(result.features.size());
  for (int64_t i = 0; i < features.rows(); ++i) {
    const bool in = chosen[static_cast<size_t>(i)];
    ++(in ? result.items : result.others);
    features.visit_row(i, [&](int64_t f, float value) {
      FeatureContrast& one = result.features[static_cast<size_t>(f)];
      if (std::abs(value) > kFiring) ++(in ? one.firing : one.firing_others);
      (in ? one.mean : one.mean_others) += value;
      squares[static_cast<size_t>(f)] += double{value} * value;
    });
  }
  const auto all = static_cast<double>(features.rows());
  for (size_t f = 0; f < result.features.size(); ++f) {
    FeatureContrast& one = result.features[f];
    const double mean = (one.mean + one.mean_others) / all;
    one.deviation = std::sqrt(std::max(0.0, squares[f] / all - mean * mean));
    if (result.items > 0) one.mean /= static_cast<double>(result.items);
    if (result.others > 0) one.mean_others /= static_cast<double>(result.others);
  }
  return result;
}

}  // namespace orthant::report
