#include "learn/loss/pair_spectral.h"

#include <algorithm>

#include "learn/loss/products.h"

namespace orthant::loss {
namespace {

bool by_items(const Batch& batch) { return batch.images() <= batch.dims; }

// The sum of the squares of all inner products; the gradient, unless empty, receives half its derivative. `pairs` are
// struck out of A B' already where that is the way.
struct Squares {
  const Batch& batch;
  std::span<const float> z;
  std::span<float> gradient;
  std::span<float> workspace;
  int threads;

  const float* a() const { return z.data(); }
  const float* b() const { return z.data() + batch.images() * batch.dims; }
  float* gradient_b() const { return gradient.data() + batch.images() * batch.dims; }

  double through_items() const {
    const int64_t n = batch.images();
    const int64_t d = batch.dims;
    float* products = workspace.data();
    multiply({a(), d}, {b(), d, true}, products, n, n, d, threads);
    for (int64_t i = 0; i < n; ++i) products[i * n + i] = 0;
    if (!gradient.empty()) {
      multiply({products, n}, {b(), d}, gradient.data(), n, d, n, threads);
      multiply({products, n, true}, {a(), d}, gradient_b(), n, d, n, threads);
    }
    const auto all = workspace.first(static_cast<size_t>(n * n));
    return sum_of_products(all, all);
  }

  double through_dims() const {
    const int64_t n = batch.images();
    const int64_t d = batch.dims;
    const auto square = static_cast<size_t>(d * d);
    const auto gram_a = workspace.first(square);
    const auto gram_b = workspace.subspan(square, square);
    multiply({a(), d, true}, {a(), d}, gram_a.data(), d, d, n, threads);
    multiply({b(), d, true}, {b(), d}, gram_b.data(), d, d, n, threads);
    if (!gradient.empty()) {
      multiply({a(), d}, {gram_b.data(), d}, gradient.data(), n, d, d, threads);
      multiply({b(), d}, {gram_a.data(), d}, gradient_b(), n, d, d, threads);
    }
    return sum_of_products(gram_a, gram_b);
  }
};

}  // namespace

int64_t pair_spectral_workspace(const Batch& batch) {
  return by_items(batch) ? batch.images() * batch.images() : 2 * batch.dims * batch.dims;
}

double pair_spectral(const Batch& batch, std::span<const float> z, std::span<float> gradient,
                     std::span<float> workspace, int threads) {
  const Squares squares{batch, z, gradient, workspace, threads};
  const bool struck_out = by_items(batch);
  const double all = struck_out ? squares.through_items() : squares.through_dims();
  const int64_t n = batch.images();
  const auto dims = static_cast<size_t>(batch.dims);
  const auto items = static_cast<double>(n);
  const double negatives = items * (items - 1);
  double positives = 0;
  double within = 0;
  for (float& g : gradient) g *= static_cast<float>(2 / negatives);
  for (int64_t i = 0; i < n; ++i) {
    const size_t first = static_cast<size_t>(i) * dims;
    const size_t second = static_cast<size_t>(n + i) * dims;
    const double s = dot(z.subspan(first, dims), z.subspan(second, dims));
    positives += s;
    if (!struck_out) within += s * s;
    if (gradient.empty()) continue;
    const auto pull = static_cast<float>(2 / items + (struck_out ? 0 : 2 * s / negatives));
    for (size_t k = 0; k < dims; ++k) {
      gradient[first + k] -= pull * z[second + k];
      gradient[second + k] -= pull * z[first + k];
    }
  }
  return -2 * positives / items + (all - within) / negatives;
}

}  // namespace orthant::loss
