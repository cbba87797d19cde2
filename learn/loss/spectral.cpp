#include "learn/loss/spectral.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>

#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kPanel = 64;

struct Factor {
  const float* values;
  int64_t stride;
  bool transposed = false;
};

// out [rows, cols] = a b over panels of rows; a is [rows, inner], or [inner, rows] if transposed, and so for b.
void multiply(const Factor& a, const Factor& b, float* out, int64_t rows, int64_t cols, int64_t inner, int threads) {
  parallel_for(rows, kPanel, threads, [&](int64_t begin, int64_t end) {
    omp_set_num_threads(1);  // of this thread's task alone: a panel's product stays on one thread
    cblas_sgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans,
                static_cast<int>(end - begin), static_cast<int>(cols), static_cast<int>(inner), 1.0f,
                a.values + (a.transposed ? begin : begin * a.stride), static_cast<int>(a.stride), b.values,
                static_cast<int>(b.stride), 0.0f, out + begin * cols, static_cast<int>(cols));
  });
}

double sum_of_squares(std::span<const float> values) {
  double sum = 0;
  for (size_t begin = 0; begin < values.size(); begin += 4096) {
    const auto part = values.subspan(begin, std::min<size_t>(4096, values.size() - begin));
    sum += dot(part, part);
  }
  return sum;
}

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
  const double value = -2 * positives / positive_pairs + (sum_of_squares(gram) - within) / negative_pairs;
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
