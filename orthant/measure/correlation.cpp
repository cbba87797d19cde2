#include "orthant/measure/correlation.h"

#include <algorithm>
#include <cmath>

#include "orthant/linalg/column_gram.h"
#include "orthant/measure/activity.h"

namespace orthant::measure {

Matrix64 cosines(const Matrix64& gram, std::span<const int64_t> kept) {
  const auto count = static_cast<int64_t>(kept.size());
  Matrix64 result(count, count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t a = kept[static_cast<size_t>(i)];
    result(i, i) = 1;
    for (int64_t j = 0; j < i; ++j) {
      const int64_t b = kept[static_cast<size_t>(j)];
      const double lengths = std::sqrt(gram(a, a)) * std::sqrt(gram(b, b));
      result(i, j) = result(j, i) = lengths > 0 ? gram(a, b) / lengths : 0;
    }
  }
  return result;
}

double median(std::span<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Correlation correlation(const Features& features, const CorrelationOptions& options) {
  Correlation result;
  result.live = live_features(features, {.threshold = options.threshold, .threads = options.threads});
  Matrix64 matrix = cosines(linalg::column_gram(features, {.threads = options.threads}), result.live);
  if (options.keep_matrix) result.matrix = matrix;
  // The pairs are packed into the front of the matrix they come from: a write never passes a read.
  const auto packed = matrix.mutable_values();
  size_t pairs = 0;
  double sum = 0;
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t j = 0; j < i; ++j) {
      packed[pairs] = std::abs(matrix(i, j));
      sum += packed[pairs++];
    }
  }
  result.mean = pairs > 0 ? sum / static_cast<double>(pairs) : 0;
  result.median = median(packed.first(pairs));
  return result;
}

}  // namespace orthant::measure
