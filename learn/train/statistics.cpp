#include "learn/train/statistics.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr float kActive = 1e-5F;

Matrix unit_rows(const Matrix& features, int64_t& zero_rows) {
  Matrix unit = features.to_owned();
  for (int64_t i = 0; i < unit.rows(); ++i) {
    const auto row = unit.mutable_row(i);
    double sum = 0;
    for (const float x : row) sum += static_cast<double>(x) * x;
    if (sum == 0) {
      ++zero_rows;
      continue;
    }
    const auto scale = static_cast<float>(1 / std::sqrt(sum));
    for (float& x : row) x *= scale;
  }
  return unit;
}

// Mean over features of the share of the most frequent class among the samples for which `active` holds.
template <class Active>
double consistency(const Matrix& unit, std::span<const int64_t> labels, Active active) {
  const int64_t classes = labels.empty() ? 0 : *std::ranges::max_element(labels) + 1;
  if (classes <= 0) return 0;
  std::vector<int64_t> counts(static_cast<size_t>(unit.cols() * classes));
  for (int64_t i = 0; i < unit.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    if (label < 0) continue;
    const auto row = unit.row(i);
    for (size_t j = 0; j < row.size(); ++j) {
      if (active(row[j])) ++counts[j * static_cast<size_t>(classes) + static_cast<size_t>(label)];
    }
  }
  double sum = 0;
  int64_t used = 0;
  for (size_t j = 0; j < static_cast<size_t>(unit.cols()); ++j) {
    const auto of_feature = std::span(counts).subspan(j * static_cast<size_t>(classes), static_cast<size_t>(classes));
    int64_t total = 0;
    for (const int64_t count : of_feature) total += count;
    if (total == 0) continue;
    sum += static_cast<double>(*std::ranges::max_element(of_feature)) / static_cast<double>(total);
    ++used;
  }
  return used > 0 ? sum / static_cast<double>(used) : 0;
}

void count_entries(const Matrix& unit, FeatureStatistics& statistics) {
  std::vector<bool> alive(static_cast<size_t>(unit.cols()));
  std::vector<bool> touched(static_cast<size_t>(unit.cols()));
  int64_t active = 0;
  int64_t not_negative = 0;
  for (int64_t i = 0; i < unit.rows(); ++i) {
    const auto row = unit.row(i);
    for (size_t j = 0; j < row.size(); ++j) {
      const bool is_active = std::abs(row[j]) > kActive;
      active += is_active;
      not_negative += row[j] >= 0;
      if (is_active) alive[j] = true;
      if (row[j] != 0) touched[j] = true;
    }
  }
  const auto size = static_cast<double>(unit.size());
  statistics.sparsity = 1 - static_cast<double>(active) / size;
  statistics.non_negative = static_cast<double>(not_negative) / size;
  statistics.active_features = std::ranges::count(touched, true);
  statistics.dead_features = std::ranges::count(alive, false);
}

// Both follow from the columns' inner products, which are small: [D, D].
void compare_columns(const Matrix& unit, FeatureStatistics& statistics) {
  const at::NoGradGuard no_gradients;
  const at::Tensor z = at::from_blob(const_cast<float*>(unit.data()), {unit.rows(), unit.cols()}).to(at::kDouble);
  const at::Tensor gram = at::mm(z.t(), z);
  const at::Tensor singular = at::linalg_eigvalsh(gram).clamp_min(0).sqrt();
  const at::Tensor shares = singular / singular.sum().clamp_min(1e-300);
  statistics.effective_rank = -(shares * (shares + 1e-6).log()).sum().item<double>();

  const at::Tensor lengths = gram.diagonal().sqrt();
  const at::Tensor used = lengths.gt(0).nonzero().squeeze(1);
  if (used.numel() == 0) return;
  const at::Tensor inverse = lengths.index_select(0, used).reciprocal();
  const at::Tensor kept = gram.index_select(0, used).index_select(1, used);
  const at::Tensor cosines = kept * inverse.unsqueeze(0) * inverse.unsqueeze(1);
  statistics.correlation = (cosines - at::eye(used.numel(), at::kDouble)).abs().mean().item<double>();
}

}  // namespace

FeatureStatistics feature_statistics(const Matrix& features, std::span<const int64_t> labels) {
  check(features.rows() > 0 && features.cols() > 0, "[statistics] expected features, got ", features.rows(), " x ",
        features.cols());
  check(labels.empty() || static_cast<int64_t>(labels.size()) == features.rows(), "[statistics] expected ",
        features.rows(), " labels or none, got ", labels.size());
  FeatureStatistics statistics;
  const Matrix unit = unit_rows(features, statistics.zero_rows);
  statistics.consistency = consistency(unit, labels, [](float x) { return x > kActive; });
  statistics.consistency_abs = consistency(unit, labels, [](float x) { return std::abs(x) > kActive; });
  count_entries(unit, statistics);
  compare_columns(unit, statistics);
  return statistics;
}

}  // namespace orthant
