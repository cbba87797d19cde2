#include "orthant/theory/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kStartStream = 0xff1a;
constexpr double kMomentum = 0.9;

void check_sizes(const Matrix64& logits, const Matrix64& label_posterior, const std::vector<double>& marginal) {
  check(logits.rows() == label_posterior.rows() && logits.cols() == label_posterior.cols() &&
            logits.rows() == static_cast<int64_t>(marginal.size()),
        "[cross_entropy] expected logits and P(y|x) of one size for ", marginal.size(), " samples, got ", logits.rows(),
        " x ", logits.cols(), " and ", label_posterior.rows(), " x ", label_posterior.cols());
}

Matrix64 activated(Matrix64 matrix, Activation activation) {
  for (double& value : matrix.mutable_values()) value = activate(value, activation);
  return matrix;
}

// Parameters theta with the momentum of their descent; used as activate(theta).
struct Parameters {
  Parameters(int64_t rows, const CrossEntropyOptions& options, uint32_t which, Activation kind)
      : theta(rows, options.dims), velocity(rows, options.dims), activation(kind) {
    Rng rng({.seed = options.seed, .epoch = which, .view = kStartStream});
    const double scale = 1 / std::sqrt(static_cast<double>(options.dims));
    const bool any_sign = kind == Activation::identity;
    for (double& value : theta.mutable_values()) value = any_sign ? scale * rng.normal() : rng.uniform(0, 2 * scale);
  }

  Matrix64 values() const { return activated(theta, activation); }

  void descend(const Matrix64& gradient, double step) {
    const auto out = theta.mutable_values();
    const auto moving = velocity.mutable_values();
    for (size_t i = 0; i < out.size(); ++i) {
      moving[i] = kMomentum * moving[i] - step * gradient.values()[i] * slope(out[i], activation);
      out[i] += moving[i];
    }
  }

  Matrix64 theta;
  Matrix64 velocity;
  Activation activation;
};

// P(x) (softmax - P(y|x)), times the slope of the logits' own activation: the gradient before it.
Matrix64 logit_gradient(const Matrix64& before, const Matrix64& label_posterior, const std::vector<double>& marginal,
                        Activation activation) {
  Matrix64 gradient = softmax(activated(before, activation));
  for (int64_t x = 0; x < gradient.rows(); ++x) {
    for (int64_t y = 0; y < gradient.cols(); ++y) {
      gradient(x, y) =
          marginal[static_cast<size_t>(x)] * (gradient(x, y) - label_posterior(x, y)) * slope(before(x, y), activation);
    }
  }
  return gradient;
}

}  // namespace

Matrix64 softmax(const Matrix64& logits) {
  Matrix64 shares = logits.to_owned();
  for (int64_t x = 0; x < shares.rows(); ++x) {
    const auto row = shares.mutable_row(x);
    const double largest = *std::ranges::max_element(row);
    double sum = 0;
    for (double& value : row) {
      value = std::exp(value - largest);
      sum += value;
    }
    for (double& value : row) value /= sum;
  }
  return shares;
}

double cross_entropy(const Matrix64& logits, const Matrix64& label_posterior, const std::vector<double>& marginal) {
  check_sizes(logits, label_posterior, marginal);
  double sum = 0;
  for (int64_t x = 0; x < logits.rows(); ++x) {
    const auto row = logits.row(x);
    const double largest = *std::ranges::max_element(row);
    double total = 0;
    for (const double value : row) total += std::exp(value - largest);
    for (int64_t y = 0; y < logits.cols(); ++y) {
      sum += marginal[static_cast<size_t>(x)] * label_posterior(x, y) * (largest + std::log(total) - logits(x, y));
    }
  }
  return sum;
}

double conditional_entropy(const Matrix64& label_posterior, const std::vector<double>& marginal) {
  check_sizes(label_posterior, label_posterior, marginal);
  double sum = 0;
  for (int64_t x = 0; x < label_posterior.rows(); ++x) {
    for (const double p : label_posterior.row(x)) {
      if (p > 0) sum -= marginal[static_cast<size_t>(x)] * p * std::log(p);
    }
  }
  return sum;
}

CrossEntropyModel learn_cross_entropy(const Matrix64& label_posterior, const std::vector<double>& marginal,
                                      const CrossEntropyOptions& options) {
  check_sizes(label_posterior, label_posterior, marginal);
  const int64_t samples = label_posterior.rows();
  const int64_t labels = label_posterior.cols();
  check(samples >= 1 && labels >= 1 && options.dims >= 1,
        "[cross_entropy] expected samples, labels and dimensions, got ", samples, ", ", labels, " and ", options.dims);
  Parameters features(samples, options, 0, options.features);
  Parameters weights(labels, options, 1, options.weights);
  for (int64_t step = 0; step < options.steps; ++step) {
    const Matrix64 f = features.values();
    const Matrix64 w = weights.values();
    const Matrix64 gradient =
        logit_gradient(linalg::matmul_by_transposed(f, w, 1), label_posterior, marginal, options.logits);
    features.descend(linalg::matmul(gradient, w, 1), options.step_size * static_cast<double>(samples));
    weights.descend(linalg::matmul_transposed(gradient, f, 1), options.step_size * static_cast<double>(labels));
  }
  CrossEntropyModel model{features.values(), weights.values(), {}};
  model.logits = activated(linalg::matmul_by_transposed(model.features, model.weights, 1), options.logits);
  model.loss = cross_entropy(model.logits, label_posterior, marginal);
  check(std::isfinite(model.loss), "[cross_entropy] expected a loss that stays finite, got ", model.loss,
        "; use a smaller step size than ", options.step_size);
  return model;
}

}  // namespace orthant::theory
