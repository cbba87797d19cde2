#include "learn/loss/spectral.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>

#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kPanel = 64;

// out [rows, cols] = a b over panels of rows; a is [rows, inner], or [inner, rows] if transposed, and so for b.
struct Factor {
  const float* values;
  int64_t stride;
  bool transposed = false;
};

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
  if (!gradient.empty()) {
    if (by_rows) {
      multiply({gram.data(), n}, {z.data(), d}, gradient.data(), n, d, n, threads);
    } else {
      multiply({z.data(), d}, {gram.data(), d}, gradient.data(), n, d, d, threads);
    }
  }

  const auto rows = static_cast<double>(n);
  const auto views = static_cast<double>(batch.views);
  const double positive_pairs = rows * (views - 1);
  const double negative_pairs = rows * (rows - views);
  const auto scale = static_cast<float>(4 / negative_pairs);
  const auto row = [&](int64_t i) { return z.subspan(static_cast<size_t>(i * d), static_cast<size_t>(d)); };
  for (float& g : gradient) g *= scale;
  double positives = 0;
  double within = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i % batch.images(); j < n; j += batch.images()) {
      const double s = dot(row(i), row(j));
      within += s * s;
      if (i != j) positives += s;
      if (gradient.empty()) continue;
      const auto pull = static_cast<float>(-4 * s / negative_pairs - (i == j ? 0 : 4 / positive_pairs));
      float* g = gradient.data() + i * d;
      for (int64_t k = 0; k < d; ++k) g[k] += pull * row(j)[static_cast<size_t>(k)];
    }
  }
  return -2 * positives / positive_pairs + (sum_of_squares(gram) - within) / negative_pairs;
}

}  // namespace orthant::loss
