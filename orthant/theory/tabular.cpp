#include "orthant/theory/tabular.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kStartStream = 0xff1e;
constexpr double kShortest = 1e-3;

std::vector<double> marginal_of(const Matrix64& joint) {
  std::vector<double> marginal;
  for (int64_t x = 0; x < joint.rows(); ++x) {
    double sum = 0;
    for (const double p : joint.row(x)) sum += p;
    marginal.push_back(sum);
  }
  return marginal;
}

// -4 J f + 4 P f (sum_x P(x) f f^T), where J f holds the positives.
TabularGradient spectral_gradient(const Matrix64& joint, const Matrix64& features) {
  const std::vector<double> marginal = marginal_of(joint);
  Matrix64 weighted = features;
  for (int64_t x = 0; x < weighted.rows(); ++x) {
    for (double& value : weighted.mutable_row(x)) value *= std::sqrt(marginal[static_cast<size_t>(x)]);
  }
  Matrix64 gram(features.cols(), features.cols());
  linalg::gram(weighted, gram, 1);
  const Matrix64 positive = linalg::matmul(joint, features, 1);
  TabularGradient result{linalg::dot(gram, gram) - 2 * linalg::dot(positive, features),
                         linalg::matmul(features, gram, 1)};
  for (int64_t x = 0; x < features.rows(); ++x) {
    const auto out = result.gradient.mutable_row(x);
    const auto pull = positive.row(x);
    for (size_t j = 0; j < out.size(); ++j) out[j] = 4 * (marginal[static_cast<size_t>(x)] * out[j] - pull[j]);
  }
  return result;
}

TabularGradient info_nce_gradient(const Matrix64& joint, const Matrix64& features, double temperature) {
  const std::vector<double> marginal = marginal_of(joint);
  Matrix64 unit = features;
  std::vector<double> lengths;
  for (int64_t x = 0; x < unit.rows(); ++x) {
    double sum = 0;
    for (const double value : unit.row(x)) sum += value * value;
    lengths.push_back(std::max(std::sqrt(sum), kShortest));
    for (double& value : unit.mutable_row(x)) value /= lengths.back();
  }
  Matrix64 slopes = linalg::matmul_by_transposed(unit, unit, 1);  // first s, then the derivative of the loss in s / t
  TabularGradient result;
  for (int64_t x = 0; x < slopes.rows(); ++x) {
    const auto row = slopes.mutable_row(x);
    const double own = marginal[static_cast<size_t>(x)];
    double total = 0;
    for (size_t y = 0; y < row.size(); ++y) {
      result.loss -= joint(x, static_cast<int64_t>(y)) * row[y] / temperature;
      row[y] = marginal[y] * std::exp((row[y] - 1) / temperature);
      total += row[y];
    }
    result.loss += own * (std::log(total) + 1 / temperature);
    for (size_t y = 0; y < row.size(); ++y) row[y] = own * row[y] / total - joint(x, static_cast<int64_t>(y));
  }
  for (int64_t x = 0; x < slopes.rows(); ++x) {
    for (int64_t y = x; y < slopes.cols(); ++y) slopes(x, y) = slopes(y, x) = slopes(x, y) + slopes(y, x);
  }
  result.gradient = linalg::matmul(slopes, unit, 1);
  for (int64_t x = 0; x < unit.rows(); ++x) {
    const auto out = result.gradient.mutable_row(x);
    const auto direction = unit.row(x);
    double along = 0;
    for (size_t j = 0; j < out.size(); ++j) along += out[j] * direction[j];
    const double scale = 1 / (temperature * lengths[static_cast<size_t>(x)]);
    for (size_t j = 0; j < out.size(); ++j) out[j] = scale * (out[j] - along * direction[j]);
  }
  return result;
}

// Adam with the usual constants.
class Adam {
 public:
  explicit Adam(int64_t size) : mean_(static_cast<size_t>(size)), square_(static_cast<size_t>(size)) {}

  void step(std::span<double> theta, std::span<const double> gradient, double rate) {
    constexpr double kMean = 0.9;
    constexpr double kSquare = 0.999;
    constexpr double kEpsilon = 1e-12;
    mean_power_ *= kMean;
    square_power_ *= kSquare;
    for (size_t i = 0; i < theta.size(); ++i) {
      mean_[i] += (1 - kMean) * (gradient[i] - mean_[i]);
      square_[i] += (1 - kSquare) * (gradient[i] * gradient[i] - square_[i]);
      const double size = std::sqrt(square_[i] / (1 - square_power_)) + kEpsilon;
      theta[i] -= rate * mean_[i] / (1 - mean_power_) / size;
    }
  }

 private:
  std::vector<double> mean_;
  std::vector<double> square_;
  double mean_power_ = 1;
  double square_power_ = 1;
};

Matrix64 activated(const Matrix64& theta, Activation activation) {
  Matrix64 features = theta;
  for (double& value : features.mutable_values()) value = activate(value, activation);
  return features;
}

}  // namespace

TabularGradient tabular_gradient(const Matrix64& joint, const Matrix64& features, TabularLoss loss,
                                 double temperature) {
  check(joint.rows() == joint.cols() && joint.rows() == features.rows() && features.cols() > 0,
        "[tabular_gradient] expected a joint of ", features.rows(), " x ", features.rows(), " for features of ",
        features.rows(), " x ", features.cols(), ", got ", joint.rows(), " x ", joint.cols());
  check(temperature > 0, "[tabular_gradient] expected a temperature above 0, got ", temperature);
  return loss == TabularLoss::spectral ? spectral_gradient(joint, features)
                                       : info_nce_gradient(joint, features, temperature);
}

TabularFeatures learn_tabular(const Matrix64& joint, const TabularOptions& options) {
  check(options.dims >= 1 && options.steps >= 1 && options.step_size > 0,
        "[learn_tabular] expected dimensions, steps and a step size above 0, got ", options.dims, ", ", options.steps,
        " and ", options.step_size);
  Matrix64 theta(joint.rows(), options.dims);
  Rng rng({.seed = options.seed, .view = kStartStream});
  const double scale = 1 / std::sqrt(static_cast<double>(options.dims));
  const bool any_sign = options.activation == Activation::identity;
  for (double& value : theta.mutable_values()) value = any_sign ? scale * rng.normal() : rng.uniform(0, 2 * scale);
  Adam adam(theta.size());
  for (int64_t step = 0; step < options.steps; ++step) {
    Matrix64 gradient =
        tabular_gradient(joint, activated(theta, options.activation), options.loss, options.temperature).gradient;
    for (int64_t i = 0; i < theta.size(); ++i) gradient.mutable_data()[i] *= slope(theta.data()[i], options.activation);
    const double share = static_cast<double>(step) / static_cast<double>(options.steps);
    const double decay = 0.5 * (1 + std::cos(std::numbers::pi * share));
    adam.step(theta.mutable_values(), gradient.values(), options.step_size * decay);
  }
  TabularFeatures result{activated(theta, options.activation), 0};
  result.loss = tabular_gradient(joint, result.features, options.loss, options.temperature).loss;
  return result;
}

}  // namespace orthant::theory
