#include "learn/loss/rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kGrain = 64;

template <class T>
std::span<T> row_of(std::span<T> matrix, int64_t row, int64_t dims) {
  return matrix.subspan(static_cast<size_t>(row * dims), static_cast<size_t>(dims));
}

}  // namespace

double dot(std::span<const float> a, std::span<const float> b) {
  // Several sums, so that they do not wait for each other.
  double sums[8] = {};
  size_t i = 0;
  for (; i + 8 <= a.size(); i += 8) {
    for (size_t lane = 0; lane < 8; ++lane) {
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
    }
  }
  for (; i < a.size(); ++i) sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

int64_t unit_rows(const Batch& batch, std::span<const float> z, double eps, std::span<float> unit,
                  std::span<float> inverse_norms, int threads) {
  std::atomic<int64_t> zero_rows = 0;
  parallel_for(batch.rows, kGrain, threads, [&](int64_t begin, int64_t end) {
    int64_t zeros = 0;
    for (int64_t i = begin; i < end; ++i) {
      const auto row = row_of(z, i, batch.dims);
      const double norm = std::sqrt(dot(row, row));
      const bool zero = norm <= eps;
      zeros += zero;
      const auto scale = static_cast<float>(zero ? 0.0 : 1.0 / norm);
      inverse_norms[static_cast<size_t>(i)] = scale;
      std::ranges::transform(row, row_of(unit, i, batch.dims).begin(), [&](float x) { return x * scale; });
    }
    zero_rows += zeros;
  });
  return zero_rows;
}

void unit_gradient(const Batch& batch, std::span<const float> unit, std::span<const float> inverse_norms,
                   std::span<float> gradient, int threads) {
  parallel_for(batch.rows, kGrain, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto u = row_of(unit, i, batch.dims);
      const auto g = row_of(gradient, i, batch.dims);
      const auto radial = static_cast<float>(dot(u, g));
      const float scale = inverse_norms[static_cast<size_t>(i)];
      std::ranges::transform(g, u, g.begin(),
                             [&](float x, float direction) { return (x - radial * direction) * scale; });
    }
  });
}

CosineSums cosine_sums(const Batch& batch, std::span<const float> unit, std::span<double> sums) {
  const auto dims = static_cast<size_t>(batch.dims);
  const auto total = sums.first(dims);
  const auto image = sums.subspan(dims, dims);
  std::ranges::fill(total, 0.0);
  CosineSums parts;
  for (int64_t b = 0; b < batch.images(); ++b) {
    std::ranges::fill(image, 0.0);
    for (int64_t row = b; row < batch.rows; row += batch.images()) {
      const auto u = row_of(unit, row, batch.dims);
      parts.own += dot(u, u);
      for (size_t k = 0; k < dims; ++k) image[k] += static_cast<double>(u[k]);
    }
    for (size_t k = 0; k < dims; ++k) {
      parts.within += image[k] * image[k];
      total[k] += image[k];
    }
  }
  return parts;
}

MeanCosines mean_cosines(int64_t rows, int64_t views, const CosineSums& sums, std::span<const double> total) {
  // With s the sum of all unit rows, s_b that of image b: pairs of one image sum to |s_b|^2 less the rows' own
  // squares, pairs of different images to |s|^2 less all |s_b|^2.
  double all = 0;
  for (const double s : total) all += s * s;
  const auto count = static_cast<double>(rows);
  const auto per_image = static_cast<double>(views);
  return {.positive = (sums.within - sums.own) / (count * (per_image - 1)),
          .negative = (all - sums.within) / (count * (count - per_image))};
}

MeanCosines mean_cosines(const Batch& batch, std::span<const float> unit, std::span<double> sums) {
  const CosineSums parts = cosine_sums(batch, unit, sums);
  return mean_cosines(batch.rows, batch.views, parts, sums.first(static_cast<size_t>(batch.dims)));
}

}  // namespace orthant::loss
