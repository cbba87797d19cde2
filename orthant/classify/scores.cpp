#include "orthant/classify/scores.h"

#include <algorithm>

#include "orthant/core/threads.h"

namespace orthant::classify {
namespace {

constexpr int64_t kGrain = 64;

// [K, C] in double, so that a feature's weights lie side by side.
Matrix64 by_feature(const Matrix& weights) {
  Matrix64 turned(weights.cols(), weights.rows());
  for (int64_t c = 0; c < weights.rows(); ++c) {
    for (int64_t k = 0; k < weights.cols(); ++k) turned(k, c) = weights(c, k);
  }
  return turned;
}

}  // namespace

Matrix scores(const Classifier& classifier, const Features& rows, int threads) {
  classifier.check_fits(rows);
  const Matrix64 weights = by_feature(classifier.weights);
  const auto classes = static_cast<size_t>(classifier.classes());
  Matrix found(rows.rows(), classifier.classes());
  parallel_for(rows.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
    std::vector<double> sums(classes);
    for (int64_t i = begin; i < end; ++i) {
      std::ranges::fill(sums, 0.0);
      const double norm = classifier.unit_rows ? rows.row_norm(i) : 1;
      rows.visit_row(i, [&](int64_t k, float x) {
        if (x == 0) return;
        const double value = static_cast<double>(x) / norm;
        const double* const row = weights.row(k).data();
        for (size_t c = 0; c < classes; ++c) sums[c] += value * row[c];
      });
      for (size_t c = 0; c < classes; ++c) {
        found(i, static_cast<int64_t>(c)) = static_cast<float>(sums[c] + static_cast<double>(classifier.bias[c]));
      }
    }
  });
  return found;
}

std::vector<int64_t> predictions(const Matrix& scores) {
  std::vector<int64_t> found;
  found.reserve(static_cast<size_t>(scores.rows()));
  for (int64_t i = 0; i < scores.rows(); ++i) {
    const auto row = scores.row(i);
    found.push_back(std::ranges::max_element(row) - row.begin());
  }
  return found;
}

}  // namespace orthant::classify
