#include "orthant/measure/activity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::measure {
namespace {

constexpr int64_t kBlocks = 64;  // fixed, so that sums are taken in the same order on any number of threads

struct Part {
  int64_t near_zero = 0;
  int64_t not_negative = 0;
  int64_t zero_rows = 0;
  std::vector<int64_t> histogram, firing, anchors;
  std::vector<double> expected, expected_relu;

  explicit Part(size_t cols) : histogram(cols + 1), firing(cols), anchors(cols), expected(cols), expected_relu(cols) {}
};

struct Lengths {
  double raw = 0;
  double relu = 0;
};

Lengths lengths(std::span<const float> values) {
  Lengths sum;
  for (const float x : values) {
    const double square = static_cast<double>(x) * x;
    sum.raw += square;
    sum.relu += x > 0 ? square : 0.0;
  }
  return {std::sqrt(sum.raw), std::sqrt(sum.relu)};
}

// Adds a row whose entries are `values`, the k-th in column `column(k)`; the rest of the D columns is zero.
template <class Column>
void add_row(Part& part, std::span<const float> values, size_t cols, float threshold, Column column) {
  const Lengths length = lengths(values);
  const double scale = length.raw > 0 ? 1 / length.raw : 0.0;
  const double scale_relu = length.relu > 0 ? 1 / length.relu : 0.0;
  int64_t near_zero = 0;
  int64_t not_negative = 0;
  size_t active = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    const float x = values[k];
    const bool is_active = std::abs(x) > threshold;
    near_zero += std::abs(x) < threshold;
    not_negative += x >= 0;
    active += is_active;
    const size_t j = column(k);
    part.firing[j] += is_active;
    part.expected[j] += x * scale;
    part.expected_relu[j] += std::max(x, 0.0F) * scale_relu;
  }
  const auto implicit = static_cast<int64_t>(cols - values.size());
  part.near_zero += near_zero + implicit;
  part.not_negative += not_negative + implicit;
  part.zero_rows += length.raw == 0;
  ++part.histogram[active];
  if (active == 1) {
    const auto only = std::ranges::find_if(values, [&](float x) { return std::abs(x) > threshold; });
    ++part.anchors[column(static_cast<size_t>(only - values.begin()))];
  }
}

void add_rows(Part& part, const Features& features, float threshold, int64_t begin, int64_t end) {
  const auto cols = static_cast<size_t>(features.cols());
  for (int64_t i = begin; i < end; ++i) {
    if (features.dense()) {
      add_row(part, features.dense()->row(i), cols, threshold, [](size_t k) { return k; });
    } else {
      const auto row = features.sparse()->row(i);
      add_row(part, row.values, cols, threshold, [&](size_t k) { return static_cast<size_t>(row.indices[k]); });
    }
  }
}

template <class T>
void add(std::vector<T>& to, const std::vector<T>& from) {
  std::ranges::transform(to, from, to.begin(), std::plus<T>());
}

void check_input(const Features& features, const ActivityOptions& options) {
  check(features.rows() > 0 && features.cols() > 0, "[activity] expected features, got ", features.rows(), " x ",
        features.cols());
  check(options.threshold > 0, "[activity] expected a threshold above 0, got ", options.threshold);
}

}  // namespace

int64_t Activity::active_quantile(double share) const {
  const int64_t rows = std::reduce(active_histogram.begin(), active_histogram.end());
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(rows)));
  int64_t seen = 0;
  for (size_t count = 0; count < active_histogram.size(); ++count) {
    seen += active_histogram[count];
    if (seen > 0 && seen >= wanted) return static_cast<int64_t>(count);
  }
  return 0;
}

Activity activity(const Features& features, const ActivityOptions& options) {
  check_input(features, options);
  const auto cols = static_cast<size_t>(features.cols());
  const int64_t rows = features.rows();
  const int64_t grain = (rows + kBlocks - 1) / kBlocks;
  std::vector<Part> parts(static_cast<size_t>((rows - 1) / grain + 1), Part(cols));
  parallel_for(rows, grain, options.threads, [&](int64_t begin, int64_t end) {
    add_rows(parts[static_cast<size_t>(begin / grain)], features, static_cast<float>(options.threshold), begin, end);
  });
  Part& total = parts.front();
  for (size_t p = 1; p < parts.size(); ++p) {
    total.near_zero += parts[p].near_zero;
    total.not_negative += parts[p].not_negative;
    total.zero_rows += parts[p].zero_rows;
    add(total.histogram, parts[p].histogram);
    add(total.firing, parts[p].firing);
    add(total.anchors, parts[p].anchors);
    add(total.expected, parts[p].expected);
    add(total.expected_relu, parts[p].expected_relu);
  }
  const auto count = static_cast<double>(rows);
  const double size = count * static_cast<double>(cols);
  Activity result;
  result.sparsity = static_cast<double>(total.near_zero) / size;
  result.non_negative_ratio = static_cast<double>(total.not_negative) / size;
  result.active_per_sample =
      static_cast<double>(std::reduce(total.firing.begin(), total.firing.end(), int64_t{0})) / count;
  result.dead_features = std::ranges::count(total.firing, 0);
  result.zero_rows = total.zero_rows;
  result.anchored_features = static_cast<int64_t>(cols) - std::ranges::count(total.anchors, 0);
  for (size_t j = 0; j < cols; ++j) {
    total.expected[j] /= count;
    total.expected_relu[j] /= count;
  }
  result.active_histogram = std::move(total.histogram);
  result.firing = std::move(total.firing);
  result.anchors = std::move(total.anchors);
  result.expected = std::move(total.expected);
  result.expected_relu = std::move(total.expected_relu);
  return result;
}

std::vector<int64_t> live_features(const Features& features, const ActivityOptions& options) {
  check_input(features, options);
  const auto threshold = static_cast<float>(options.threshold);
  std::vector<bool> alive(static_cast<size_t>(features.cols()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) {
      if (std::abs(x) > threshold) alive[static_cast<size_t>(j)] = true;
    });
  }
  std::vector<int64_t> live;
  for (size_t j = 0; j < alive.size(); ++j) {
    if (alive[j]) live.push_back(static_cast<int64_t>(j));
  }
  return live;
}

}  // namespace orthant::measure
