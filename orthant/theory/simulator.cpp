#include "orthant/theory/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/linalg/products.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kPriorStream = 0xff00;
constexpr uint16_t kMembershipStream = 0xff01;

void check_options(const LatentClassOptions& options) {
  const auto where = "[simulate] ";
  check(options.classes >= 1, where, "expected at least 1 class, got ", options.classes);
  check(options.samples >= options.classes, where, "expected at least one sample for each of ", options.classes,
        " classes, got ", options.samples, " samples");
  check(options.overlap >= 0 && options.overlap <= 0.95, where, "expected an overlap from 0 to 0.95, got ",
        options.overlap);
  check(options.overlap == 0 || options.classes > 1, where, "expected overlap 0 for a single class, got ",
        options.overlap);
}

std::vector<double> make_prior(const LatentClassOptions& options) {
  Rng rng({.seed = options.seed, .view = kPriorStream});
  std::vector<double> prior(static_cast<size_t>(options.classes));
  for (size_t c = 0; c < prior.size(); ++c) {
    switch (options.prior) {
      case Prior::uniform:
        prior[c] = 1;
        break;
      case Prior::geometric:
        prior[c] = std::pow(0.8, static_cast<double>(c));
        break;
      case Prior::random:
        prior[c] = rng.uniform(0.5, 1.5);
        break;
    }
  }
  const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
  for (double& p : prior) p /= sum;
  return prior;
}

// One sample for every class, the rest by cumulative rounding of the prior, so that the counts add up.
std::vector<int64_t> make_homes(const std::vector<double>& prior, int64_t samples) {
  const auto spare = static_cast<double>(samples - static_cast<int64_t>(prior.size()));
  std::vector<int64_t> homes;
  double cumulative = 0;
  for (size_t c = 0; c < prior.size(); ++c) {
    cumulative += prior[c];
    const auto end = c + 1 == prior.size() ? samples : static_cast<int64_t>(c) + 1 + std::llround(cumulative * spare);
    homes.resize(static_cast<size_t>(end), static_cast<int64_t>(c));
  }
  return homes;
}

LatentClasses make_world(const LatentClassOptions& options, std::vector<double> prior, uint32_t side) {
  LatentClasses world;
  world.prior = std::move(prior);
  world.home = make_homes(world.prior, options.samples);
  const int64_t classes = options.classes;
  Matrix64 weights(options.samples, classes);
  std::vector<double> column_sums(world.prior.size(), 0.0);
  std::vector<int64_t> class_sizes(world.prior.size(), 0);
  for (const int64_t c : world.home) ++class_sizes[static_cast<size_t>(c)];
  int64_t place = 0;  // of a sample within its class
  for (int64_t x = 0; x < options.samples; ++x) {
    const int64_t home = world.home[static_cast<size_t>(x)];
    place = x > 0 && home == world.home[static_cast<size_t>(x - 1)] ? place + 1 : 0;
    const int64_t anchors = std::max<int64_t>(1, class_sizes[static_cast<size_t>(home)] / 10);
    const double overlap = options.anchors && place < anchors ? 0 : options.overlap;
    Rng rng({.seed = options.seed, .epoch = side, .sample = static_cast<uint64_t>(x), .view = kMembershipStream});
    const double mass = rng.uniform(0.5, 1.5);
    double others = 0;
    for (int64_t c = 0; c < classes; ++c) {
      weights(x, c) = c == home ? 0 : rng.uniform(0.5, 1.5);
      others += weights(x, c);
    }
    for (int64_t c = 0; c < classes; ++c) {
      const double share = c == home ? 1 - overlap : overlap * weights(x, c) / others;
      weights(x, c) = mass * share;
      column_sums[static_cast<size_t>(c)] += weights(x, c);
    }
  }
  world.given_class = std::move(weights);
  world.posterior = Matrix64(options.samples, classes);
  world.marginal.resize(static_cast<size_t>(options.samples));
  for (int64_t x = 0; x < options.samples; ++x) {
    double& marginal = world.marginal[static_cast<size_t>(x)];
    for (int64_t c = 0; c < classes; ++c) {
      world.given_class(x, c) /= column_sums[static_cast<size_t>(c)];
      world.posterior(x, c) = world.prior[static_cast<size_t>(c)] * world.given_class(x, c);
      marginal += world.posterior(x, c);
    }
    for (double& p : world.posterior.mutable_row(x)) p /= marginal;
  }
  return world;
}

// Column c of P(x|c), scaled by sqrt(P(c)): the joint of two such matrices is A B^T.
Matrix64 joint_half(const LatentClasses& world) {
  Matrix64 half = world.given_class;
  for (int64_t x = 0; x < half.rows(); ++x) {
    for (int64_t c = 0; c < half.cols(); ++c) half(x, c) *= std::sqrt(world.prior[static_cast<size_t>(c)]);
  }
  return half;
}

Matrix64 cooccurrence_half(const LatentClasses& world) { return from_factors(joint_half(world), world.marginal); }

Matrix64 symmetric_product(const Matrix64& half) {
  Matrix64 product = linalg::matmul_by_transposed(half, half);
  for (int64_t i = 0; i < product.rows(); ++i) {
    for (int64_t j = 0; j < i; ++j) product(j, i) = product(i, j);
  }
  return product;
}

Matrix64 scale_rows(const Matrix64& matrix, const std::vector<double>& marginal, bool divide) {
  check(matrix.rows() == static_cast<int64_t>(marginal.size()), "[to_factors] expected one probability for each of ",
        matrix.rows(), " rows, got ", marginal.size());
  Matrix64 scaled = matrix.to_owned();
  for (int64_t x = 0; x < scaled.rows(); ++x) {
    const double root = std::sqrt(marginal[static_cast<size_t>(x)]);
    const double factor = !divide ? root : root > 0 ? 1 / root : 0;
    for (double& value : scaled.mutable_row(x)) value *= factor;
  }
  return scaled;
}

}  // namespace

Matrix64 LatentClasses::joint() const { return symmetric_product(joint_half(*this)); }

Matrix64 LatentClasses::cooccurrence() const { return symmetric_product(cooccurrence_half(*this)); }

SparseMatrix64 LatentClasses::sparse_cooccurrence() const {
  const Matrix64 half = cooccurrence_half(*this);
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  for (int64_t i = 0; i < samples(); ++i) {
    for (int64_t j = 0; j < samples(); ++j) {
      const auto [a, b] = std::minmax(i, j);  // one order of summation for both triangles: exactly symmetric
      double sum = 0;
      for (int64_t c = 0; c < classes(); ++c) sum += half(a, c) * half(b, c);
      if (sum == 0) continue;
      indices.push_back(static_cast<int32_t>(j));
      values.push_back(sum);
    }
    indptr.push_back(static_cast<int64_t>(indices.size()));
  }
  return {samples(), samples(), std::move(indptr), std::move(indices), std::move(values)};
}

Matrix64 LatentClasses::optimal_features() const {
  Matrix64 phi = posterior;
  for (int64_t x = 0; x < phi.rows(); ++x) {
    for (int64_t c = 0; c < phi.cols(); ++c) phi(x, c) /= std::sqrt(prior[static_cast<size_t>(c)]);
  }
  return phi;
}

LatentClasses simulate(const LatentClassOptions& options) {
  check_options(options);
  return make_world(options, make_prior(options), 0);
}

Matrix64 TwoModalities::joint() const { return linalg::matmul_by_transposed(joint_half(vision), joint_half(language)); }

Matrix64 TwoModalities::cooccurrence() const {
  return linalg::matmul_by_transposed(cooccurrence_half(vision), cooccurrence_half(language));
}

TwoModalities simulate_two_modalities(const LatentClassOptions& options, int64_t language_samples) {
  LatentClassOptions language = options;
  language.samples = language_samples;
  check_options(options);
  check_options(language);
  const std::vector<double> prior = make_prior(options);
  return {make_world(options, prior, 0), make_world(language, prior, 1)};
}

Matrix64 to_factors(const Matrix64& features, const std::vector<double>& marginal) {
  return scale_rows(features, marginal, false);
}

Matrix64 from_factors(const Matrix64& factors, const std::vector<double>& marginal) {
  return scale_rows(factors, marginal, true);
}

}  // namespace orthant::theory
