#include "orthant/measure/official.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/linalg/column_gram.h"
#include "orthant/measure/class_counts.h"
#include "orthant/measure/consistency.h"
#include "orthant/measure/correlation.h"
#include "orthant/measure/effective_rank.h"

namespace orthant::measure {
namespace {

constexpr float kWeak = 1e-5F;
constexpr float kStrong = 0.1F;
constexpr float kEvaluationZero = 1e-2F;
constexpr double kEvaluationSum = 10;

// Everything that one pass over the rows gives.
struct Sums {
  std::vector<double> plain, positive, absolute, scaled;  // [D]: sums of x, max(x, 0), |x|, |x| in rows of length 1
  int64_t near_zero = 0;
  int64_t not_negative = 0;
  int64_t active = 0;            // |x| > 1e-5 on rows scaled to unit length
  std::vector<bool> alive = {};  // [D]: any such entry
};

Sums sum_columns(const Features& features, std::span<const double> lengths) {
  const auto cols = static_cast<size_t>(features.cols());
  const std::vector<double> none(cols);
  Sums sums{none, none, none, none};
  sums.alive.resize(cols);
  for (int64_t i = 0; i < features.rows(); ++i) {
    const double length = lengths[static_cast<size_t>(i)];
    const auto limit = static_cast<float>(kWeak * length);
    int64_t visited = 0;
    features.visit_row(i, [&](int64_t column, float x) {
      const auto j = static_cast<size_t>(column);
      sums.plain[j] += x;
      sums.positive[j] += std::max(x, 0.0F);
      sums.absolute[j] += std::abs(x);
      if (length > 0) sums.scaled[j] += std::abs(x) / length;
      sums.near_zero += std::abs(x) < kEvaluationZero;
      sums.not_negative += x >= 0;
      if (std::abs(x) > limit) {
        ++sums.active;
        sums.alive[j] = true;
      }
      ++visited;
    });
    sums.near_zero += features.cols() - visited;
    sums.not_negative += features.cols() - visited;
  }
  return sums;
}

std::vector<int64_t> columns_above(const std::vector<double>& sums, double limit) {
  std::vector<int64_t> columns;
  for (size_t j = 0; j < sums.size(); ++j) {
    if (sums[j] > limit) columns.push_back(static_cast<int64_t>(j));
  }
  return columns;
}

// |C - I|, all d^2 entries of it.
Matrix64 absolute_off_diagonal(const Matrix64& gram, std::span<const int64_t> kept) {
  Matrix64 matrix = cosines(gram, kept);
  for (int64_t i = 0; i < matrix.rows(); ++i) matrix(i, i) = 0;
  for (double& x : matrix.mutable_values()) x = std::abs(x);
  return matrix;
}

// Of an even number of values, the lower of the two in the middle.
double lower_median(std::span<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<int64_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

OfficialConsistency judge(std::span<const int32_t> counts, int64_t features, double epsilon) {
  const RuleConsistency rule = judge_counts(counts, features, epsilon);
  double squares = 0;
  for (const double entropy : rule.entropy) {
    if (!std::isnan(entropy)) squares += (entropy - rule.mean_entropy) * (entropy - rule.mean_entropy);
  }
  const double deviation = rule.features > 0 ? std::sqrt(squares / static_cast<double>(rule.features - 1)) : 0;
  return {rule.mean_consistency, rule.mean_entropy, deviation, rule.features};
}

// The features that never rise above zero are dropped before rows are scaled, so they neither count nor take part in
// the length.
OfficialConsistency judge_evaluation(const Features& features, const Classes& classes, const Sums& sums, int threads) {
  std::vector<bool> kept;
  for (const double sum : sums.positive) kept.push_back(sum > 0);
  ClassCounts counts = class_counts(features, classes, row_lengths(features, kept, threads), {kWeak, kStrong}, threads);
  for (size_t at = 0; at < counts.active.size(); ++at) {
    if (!kept[at % kept.size()]) counts.active[at] = 0;
  }
  return judge(counts.active, features.cols(), kWeak);
}

}  // namespace

OfficialStatistics official_statistics(const Features& features, std::span<const int64_t> labels,
                                       const OfficialOptions& options) {
  check(features.rows() > 0 && features.cols() > 0, "[official_statistics] expected features, got ", features.rows(),
        " x ", features.cols());
  const std::vector<double> lengths = row_lengths(features, {}, options.threads);
  const Sums sums = sum_columns(features, lengths);
  const double size = static_cast<double>(features.rows()) * static_cast<double>(features.cols());
  OfficialStatistics result;
  if (!labels.empty()) {
    const Classes classes = index_classes(labels, features.rows(), "official_statistics");
    const ClassCounts counts = class_counts(features, classes, lengths, {kWeak, kStrong}, options.threads);
    result.evaluation = judge_evaluation(features, classes, sums, options.threads);
    result.metric = judge(counts.strong, features.cols(), kStrong);
    result.training = judge(counts.active, features.cols(), kWeak);
  }
  result.sparsity = static_cast<double>(sums.near_zero) / size;
  result.non_negative_ratio = static_cast<double>(sums.not_negative) / size;
  result.training_sparsity = 1 - static_cast<double>(sums.active) / size;
  result.training_dead = std::ranges::count(sums.alive, false);
  result.dead_features = std::ranges::count_if(sums.scaled, [](double sum) { return sum < kWeak; });

  const Matrix64 raw = linalg::column_gram(features, {.threads = options.threads});
  const std::vector<int64_t> summed = columns_above(sums.plain, kEvaluationSum);
  result.summed_features = static_cast<int64_t>(summed.size());
  Matrix64 evaluated = absolute_off_diagonal(raw, summed);
  result.correlation_median = lower_median(evaluated.mutable_values());

  Matrix64 unit = linalg::column_gram(features, {.unit_rows = true, .threads = options.threads});
  const std::vector<int64_t> used = columns_above(sums.absolute, 0);
  result.active_features = static_cast<int64_t>(used.size());
  const Matrix64 trained = absolute_off_diagonal(unit, used);
  double sum = 0;
  for (const double x : trained.values()) sum += x;
  result.training_correlation = used.empty() ? 0 : sum / static_cast<double>(used.size() * used.size());
  result.effective_rank = effective_rank_of(unit);
  return result;
}

}  // namespace orthant::measure
