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

Matrix64 start_table(int64_t samples, uint32_t side, const StochasticOptions& options) {
  Matrix64 theta(samples, options.dims);
  const double scale = 1 / std::sqrt(static_cast<double>(options.dims));
  Rng rng({.seed = options.seed, .epoch = side, .view = kStartStream});
  const bool any_sign = options.activation == Activation::identity;
  for (double& value : theta.mutable_values()) value = any_sign ? scale * rng.normal() : rng.uniform(0, 2 * scale);
  return theta;
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
  Table(int64_t samples, uint32_t side, const StochasticOptions& options)
      : theta_(start_table(samples, side, options)), sum_(samples, options.dims), activation_(options.activation) {}

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

void draw_batch(const PairSource& source, Rng& rng, const Table& a, const Table& b, Side& first, Side& second) {
  for (size_t n = 0; n < first.samples.size(); ++n) {
    std::tie(first.samples[n], second.samples[n]) = source(rng);
    for (const auto& [x, samples] :
         {std::pair(first.samples[n], a.theta().rows()), std::pair(second.samples[n], b.theta().rows())}) {
      check(x >= 0 && x < samples, kWhere, "expected samples below ", samples, ", got ", x);
    }
  }
}

std::vector<double> similarities(const Side& first, const Side& second) {
  std::vector<double> similarity(first.samples.size(), 0.0);
  for (size_t n = 0; n < similarity.size(); ++n) {
    const auto f = first.features.row(static_cast<int64_t>(n));
    const auto g = second.features.row(static_cast<int64_t>(n));
    for (size_t j = 0; j < f.size(); ++j) similarity[n] += f[j] * g[j];
  }
  return similarity;
}

// All steps; `a` and `b` are the tables of the two members of a pair, or one and the same. Returns the losses.
std::vector<double> descend(const PairSource& source, Table& a, Table& b, const StochasticOptions& options) {
  Side first(options.batch, options.dims);
  Side second(options.batch, options.dims);
  std::vector<double> losses;
  for (int64_t step = 0; step < options.steps; ++step) {
    Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(step), .view = kBatchStream});
    draw_batch(source, rng, a, b, first, second);
    first.gather(a.theta(), options.activation);
    second.gather(b.theta(), options.activation);
    const std::vector<double> similarity = similarities(first, second);
    const double loss = batch_loss(first, second, similarity);
    check(std::isfinite(loss), kWhere, "expected a loss that stays finite, got ", loss, " at step ", step,
          "; use a smaller step size than ", options.step_size);
    losses.push_back(loss);

    differentiate(first, second, similarity);
    differentiate(second, first, similarity);
    a.add(first);
    b.add(second);
    const double share = static_cast<double>(step) / static_cast<double>(options.steps);
    const double decay = 0.5 * (1 + std::cos(std::numbers::pi * share));
    a.descend(first, options.step_size * static_cast<double>(a.theta().rows()) * decay);
    b.descend(second, options.step_size * static_cast<double>(b.theta().rows()) * decay);
    if (options.progress && !options.progress({.iteration = step + 1, .loss = loss, .relative_change = 1 - share}))
      break;
  }
  return losses;
}

}  // namespace

StochasticFeatures learn_features(const PairSource& source, int64_t samples, const StochasticOptions& options) {
  check_options(samples, options);
  Table table(samples, 0, options);
  StochasticFeatures result;
  result.losses = descend(source, table, table, options);
  result.features = table.features();
  return result;
}

TwoTowerFeatures learn_two_towers(const PairSource& source, int64_t vision, int64_t language,
                                  const StochasticOptions& options) {
  check_options(std::min(vision, language), options);
  Table first(vision, 0, options);
  Table second(language, 1, options);
  TwoTowerFeatures result;
  result.losses = descend(source, first, second, options);
  result.vision = first.features();
  result.language = second.features();
  return result;
}

PairSource resample(const std::vector<Pair>& pairs) {
  check(!pairs.empty(), "[resample] expected at least one pair, got none");
  return [&pairs](Rng& rng) { return pairs[rng.below(pairs.size())]; };
}

}  // namespace orthant::theory
