#include "orthant/linalg/principal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orthant/core/threads.h"
#include "orthant/linalg/column_gram.h"
#include "orthant/linalg/eigenpairs.h"
#include "orthant/linalg/subspace.h"

namespace orthant::linalg {
namespace {

constexpr int64_t kExactWidth = 1024;  // half a second of LAPACK's; beyond, its time grows with the cube
constexpr double kRounding = 1e-12;    // of float32 rows: (1e-7)^2, with room
constexpr int64_t kGrain = 256;

double scale_of(const Features& features, int64_t i) {
  const double length = features.row_norm(i);
  return length > 0 ? 1 / length : 0;
}

// Sums and the number of rows that are not zero, in the order of the rows.
double sum_rows(const Features& features, std::vector<double>& mean) {
  double filled = 0;
  for (int64_t i = 0; i < features.rows(); ++i) {
    const double scale = scale_of(features, i);
    filled += scale > 0 ? 1 : 0;
    features.visit_row(i, [&](int64_t j, float x) { mean[static_cast<size_t>(j)] += scale * x; });
  }
  return filled;
}

void from_covariance(const Features& features, int threads, PrincipalComponents& components) {
  Matrix64 covariance = linalg::column_gram(features, {.unit_rows = true, .threads = threads});
  const auto rows = static_cast<double>(features.rows());
  for (int64_t i = 0; i < covariance.rows(); ++i) {
    for (int64_t j = 0; j < covariance.cols(); ++j) {
      covariance(i, j) =
          covariance(i, j) / rows - components.mean[static_cast<size_t>(i)] * components.mean[static_cast<size_t>(j)];
    }
  }
  Eigenpairs pairs = largest_eigenpairs(covariance);
  components.variances = std::move(pairs.values);
  components.axes = std::move(pairs.vectors);
}

void settle(PrincipalComponents& components, double mean_square) {
  for (int64_t c = 0; c < 2; ++c) {
    const auto axis = components.axes.mutable_row(c);
    double& variance = components.variances[static_cast<size_t>(c)];
    if (!(variance > kRounding * mean_square)) {
      variance = 0;
      std::ranges::fill(axis, 0.0);
      continue;
    }
    const auto largest =
        std::max_element(axis.begin(), axis.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (*largest >= 0) continue;
    for (double& x : axis) x = -x;
  }
}

}  // namespace

PrincipalComponents principal_components(const Features& features, int threads) {
  const int64_t cols = features.cols();
  PrincipalComponents components{.mean = std::vector<double>(static_cast<size_t>(cols)),
                                 .axes = Matrix64(2, cols),
                                 .variances = std::vector<double>(2)};
  const double filled = sum_rows(features, components.mean);
  if (filled == 0) return components;
  const auto rows = static_cast<double>(features.rows());
  for (double& x : components.mean) x /= rows;
  if (cols <= kExactWidth) {
    from_covariance(features, threads, components);
  } else {
    subspace_iteration(features, threads, components);
  }
  settle(components, filled / rows);
  return components;
}

Matrix64 scores(const PrincipalComponents& components, const Features& features, int threads) {
  std::array<double, 2> offset{};
  for (int64_t c = 0; c < 2; ++c) {
    for (int64_t j = 0; j < features.cols(); ++j) {
      offset[static_cast<size_t>(c)] += components.axes(c, j) * components.mean[static_cast<size_t>(j)];
    }
  }
  Matrix64 points(features.rows(), 2);
  parallel_for(features.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double scale = scale_of(features, i);
      std::array<double, 2> sum{};
      features.visit_row(i, [&](int64_t j, float x) {
        sum[0] += components.axes(0, j) * x;
        sum[1] += components.axes(1, j) * x;
      });
      for (size_t c = 0; c < 2; ++c) points(i, static_cast<int64_t>(c)) = sum[c] * scale - offset[c];
    }
  });
  return points;
}

}  // namespace orthant::linalg
