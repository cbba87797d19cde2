#include "orthant/theory/stochastic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

constexpr auto kWhere = "[learn_features] ";
constexpr uint16_t kStartStream = 0xff15;
constexpr uint16_t kBatchStream = 0xff16;

void check_options(int64_t samples, const StochasticOptions& options) {
  check(samples >= 1 && options.dims >= 1, kWhere, "expected at least 1 sample and 1 dimension, got ", samples, " and ",
        options.dims);
  check(options.steps >= 0, kWhere, "expected steps of 0 or more, got ", options.steps);
  check(options.batch >= 2, kWhere, "expected at least 2 pairs in a batch, for negatives, got ", options.batch);
  check(options.step_size > 0 && std::isfinite(options.step_size), kWhere, "expected a positive step size, got ",
        options.step_size);
}

Matrix64 start_table(int64_t samples, const StochasticOptions& options) {
  Matrix64 theta(samples, options.dims);
  const double scale = 1 / std::sqrt(static_cast<double>(options.dims));
  Rng rng({.seed = options.seed, .view = kStartStream});
  const bool any_sign = options.activation == Activation::identity;
  for (double& value : theta.mutable_values()) value = any_sign ? scale * rng.normal() : rng.uniform(0, 2 * scale);
  return theta;
}

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

// One side of a batch: which samples, their features [B, k], and the gradient of the loss in those features.
struct Side {
  Side(int64_t batch, int64_t dims)
      : samples(static_cast<size_t>(batch)), features(batch, dims), f_gram(dims, dims), gradient(batch, dims) {}

  void gather(const Matrix64& theta, Activation activation) {
    for (size_t b = 0; b < samples.size(); ++b) {
      const auto row = theta.row(samples[b]);
      const auto out = features.mutable_row(static_cast<int64_t>(b));
      for (size_t j = 0; j < row.size(); ++j) out[j] = activate(row[j], activation);
    }
    linalg::gram(features, f_gram, 1);
  }

  std::vector<int32_t> samples;
  Matrix64 features;
  Matrix64 f_gram;
  Matrix64 gradient;
};

// The gradient in one side's features. sum_{c != b} (f_b.g_c) g_c = G^T G f_b - (f_b.g_b) g_b: k x k, not B x B.
void differentiate(Side& side, const Side& other, const std::vector<double>& similarity) {
  const auto batch = static_cast<double>(side.samples.size());
  linalg::matmul(side.features, other.f_gram, side.gradient, 1);
  const double positive = 2 / batch;
  const double negative = 2 / (batch * (batch - 1));
  for (int64_t b = 0; b < side.gradient.rows(); ++b) {
    const auto out = side.gradient.mutable_row(b);
    const auto partner = other.features.row(b);
    const double own = similarity[static_cast<size_t>(b)];
    for (size_t j = 0; j < out.size(); ++j) out[j] = negative * (out[j] - own * partner[j]) - positive * partner[j];
  }
}

double batch_loss(const Side& a, const Side& b, const std::vector<double>& similarity) {
  const auto batch = static_cast<double>(similarity.size());
  double positive = 0;
  double own = 0;
  for (const double s : similarity) {
    positive += s;
    own += s * s;
  }
  return -2 * positive / batch + (linalg::dot(a.f_gram, b.f_gram) - own) / (batch * (batch - 1));
}

class Table {
 public:
  Table(int64_t samples, const StochasticOptions& options)
      : theta_(start_table(samples, options)), sum_(samples, options.dims), activation_(options.activation) {}

  const Matrix64& theta() const { return theta_; }

  void add(const Side& side) {
    for (size_t b = 0; b < side.samples.size(); ++b) {
      const auto out = sum_.mutable_row(side.samples[b]);
      const auto gradient = side.gradient.row(static_cast<int64_t>(b));
      for (size_t j = 0; j < out.size(); ++j) out[j] += gradient[j];
    }
  }

  // Moves the samples of one side and forgets their gradient, so that a sample of both sides moves once.
  void descend(const Side& side, double step) {
    for (const int32_t x : side.samples) {
      const auto theta = theta_.mutable_row(x);
      const auto gradient = sum_.mutable_row(x);
      for (size_t j = 0; j < theta.size(); ++j) {
        if (gradient[j] == 0) continue;
        theta[j] -= step * gradient[j] * slope(theta[j], activation_);
        gradient[j] = 0;
      }
    }
  }

  Matrix64 features() const {
    Matrix64 f = theta_;
    for (double& value : f.mutable_values()) value = activate(value, activation_);
    return f;
  }

 private:
  Matrix64 theta_;
  Matrix64 sum_;  // of the gradients in f, zero between steps
  Activation activation_;
};

}  // namespace

StochasticFeatures learn_features(const PairSource& source, int64_t samples, const StochasticOptions& options) {
  check_options(samples, options);
  Table table(samples, options);
  Side first(options.batch, options.dims);
  Side second(options.batch, options.dims);
  std::vector<double> similarity(first.samples.size());
  StochasticFeatures result;
  for (int64_t step = 0; step < options.steps; ++step) {
    Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(step), .view = kBatchStream});
    for (size_t b = 0; b < similarity.size(); ++b) {
      std::tie(first.samples[b], second.samples[b]) = source(rng);
      for (const int32_t x : {first.samples[b], second.samples[b]}) {
        check(x >= 0 && x < samples, kWhere, "expected samples below ", samples, ", got ", x);
      }
    }
    first.gather(table.theta(), options.activation);
    second.gather(table.theta(), options.activation);
    for (size_t b = 0; b < similarity.size(); ++b) {
      const auto f = first.features.row(static_cast<int64_t>(b));
      const auto g = second.features.row(static_cast<int64_t>(b));
      similarity[b] = 0;
      for (size_t j = 0; j < f.size(); ++j) similarity[b] += f[j] * g[j];
    }
    const double loss = batch_loss(first, second, similarity);
    check(std::isfinite(loss), kWhere, "expected a loss that stays finite, got ", loss, " at step ", step,
          "; use a smaller step size than ", options.step_size);
    result.losses.push_back(loss);

    differentiate(first, second, similarity);
    differentiate(second, first, similarity);
    table.add(first);
    table.add(second);
    const double share = static_cast<double>(step) / static_cast<double>(options.steps);
    const double decay = 0.5 * (1 + std::cos(std::numbers::pi * share));
    const double size = options.step_size * static_cast<double>(samples) * decay;
    table.descend(first, size);
    table.descend(second, size);
    if (options.progress && !options.progress({.iteration = step + 1, .loss = loss, .relative_change = 1 - share}))
      break;
  }
  result.features = table.features();
  return result;
}

PairSource resample(const std::vector<Pair>& pairs) {
  check(!pairs.empty(), "[resample] expected at least one pair, got none");
  return [&pairs](Rng& rng) { return pairs[rng.below(pairs.size())]; };
}

}  // namespace orthant::theory
