#include "learn/loss/spectral.h"

#include <algorithm>

#include "learn/loss/products.h"

namespace orthant::loss {
namespace {

// Ordered, a row with itself included.
template <class Visit>
void for_each_pair_of_an_image(const Batch& batch, const Visit& visit) {
  for (int64_t i = 0; i < batch.rows; ++i) {
    for (int64_t j = i % batch.images(); j < batch.rows; j += batch.images()) visit(i, j);
  }
}

}  // namespace

int64_t spectral_workspace(const Batch& batch) {
  const int64_t side = std::min(batch.rows, batch.dims);
  return side * side;
}

double spectral(const Batch& batch, std::span<const float> z, std::span<float> gradient, std::span<float> workspace,
                int threads) {
  const int64_t n = batch.rows;
  const int64_t d = batch.dims;
  const bool by_rows = n <= d;
  const auto gram = workspace.first(static_cast<size_t>(spectral_workspace(batch)));
  if (by_rows) {
    multiply({z.data(), d}, {z.data(), d, true}, gram.data(), n, n, d, threads);
  } else {
    multiply({z.data(), d, true}, {z.data(), d}, gram.data(), d, d, n, threads);
  }

  // Pairs of one image leave the sum of squares: struck out of Z Z', or subtracted from what Z'Z gives.
  const auto row = [&](int64_t i) { return z.subspan(static_cast<size_t>(i * d), static_cast<size_t>(d)); };
  double positives = 0;
  double within = 0;
  for_each_pair_of_an_image(batch, [&](int64_t i, int64_t j) {
    const double s = dot(row(i), row(j));
    if (i != j) positives += s;
    if (by_rows) {
      gram[static_cast<size_t>(i * n + j)] = 0;
    } else {
      within += s * s;
    }
  });
  const auto rows = static_cast<double>(n);
  const auto views = static_cast<double>(batch.views);
  const double positive_pairs = rows * (views - 1);
  const double negative_pairs = rows * (rows - views);
  const double value = -2 * positives / positive_pairs + (sum_of_products(gram, gram) - within) / negative_pairs;
  if (gradient.empty()) return value;

  if (by_rows) {
    multiply({gram.data(), n}, {z.data(), d}, gradient.data(), n, d, n, threads);
  } else {
    multiply({z.data(), d}, {gram.data(), d}, gradient.data(), n, d, d, threads);
  }
  for (float& g : gradient) g *= static_cast<float>(4 / negative_pairs);
  for_each_pair_of_an_image(batch, [&](int64_t i, int64_t j) {
    const double attraction = i == j ? 0 : 4 / positive_pairs;
    const double struck_out = by_rows ? 0 : 4 * dot(row(i), row(j)) / negative_pairs;
    const auto pull = static_cast<float>(attraction + struck_out);
    float* g = gradient.data() + i * d;
    for (int64_t k = 0; k < d; ++k) g[k] -= pull * row(j)[static_cast<size_t>(k)];
  });
  return value;
}

}  // namespace orthant::loss
