#include "orthant/measure/class_counts.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::measure {
namespace {

// Comparing with threshold * length instead of scaling the row: the same test without a division per entry.
struct RowLimits {
  float weak = 0;
  float strong = 0;
};

template <class Column>
void count_row(std::span<const float> values, const RowLimits& limits, ClassCounts& counts, size_t offset,
               Column column) {
  int32_t* const active = counts.active.data() + offset;
  int32_t* const positive = counts.positive.data() + offset;
  int32_t* const strong = counts.strong.data() + offset;
  for (size_t k = 0; k < values.size(); ++k) {
    const float x = values[k];
    const size_t j = column(k);
    active[j] += std::abs(x) > limits.weak;
    positive[j] += x > limits.weak;
    strong[j] += x > limits.strong;
  }
}

void count_rows(const Features& features, const Classes& classes, std::span<const double> lengths,
                const ActivationRules& rules, int64_t begin, int64_t end, ClassCounts& counts) {
  for (int64_t i = begin; i < end; ++i) {
    const int32_t label = classes.of_row[static_cast<size_t>(i)];
    const double length = lengths[static_cast<size_t>(i)];
    if (label < 0 || length == 0) continue;
    const RowLimits limits{static_cast<float>(rules.weak * length), static_cast<float>(rules.strong * length)};
    const size_t offset = static_cast<size_t>(label) * static_cast<size_t>(features.cols());
    if (features.dense()) {
      count_row(features.dense()->row(i), limits, counts, offset, [](size_t k) { return k; });
    } else {
      const auto row = features.sparse()->row(i);
      count_row(row.values, limits, counts, offset, [&](size_t k) { return static_cast<size_t>(row.indices[k]); });
    }
  }
}

void add(std::vector<int32_t>& to, const std::vector<int32_t>& from) {
  std::ranges::transform(to, from, to.begin(), std::plus<int32_t>());
}

}  // namespace

std::vector<double> row_lengths(const Features& features, const std::vector<bool>& kept, int threads) {
  std::vector<double> lengths(static_cast<size_t>(features.rows()));
  parallel_for(features.rows(), 256, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double sum = 0;
      features.visit_row(i, [&](int64_t j, float x) {
        if (kept.empty() || kept[static_cast<size_t>(j)]) sum += static_cast<double>(x) * x;
      });
      lengths[static_cast<size_t>(i)] = std::sqrt(sum);
    }
  });
  return lengths;
}

ClassCounts class_counts(const Features& features, const Classes& classes, std::span<const double> lengths,
                         const ActivationRules& rules, int threads) {
  check(features.rows() <= INT32_MAX, "[class_counts] expected fewer than 2^31 rows, got ", features.rows());
  const size_t size = static_cast<size_t>(features.cols()) * static_cast<size_t>(classes.count());
  const int64_t rows = std::max<int64_t>(features.rows(), 1);
  const int64_t workers = std::min<int64_t>(resolve_threads(threads), rows);
  const int64_t grain = (rows + workers - 1) / workers;
  const ClassCounts zero{std::vector<int32_t>(size), std::vector<int32_t>(size), std::vector<int32_t>(size)};
  std::vector<ClassCounts> parts(static_cast<size_t>((rows - 1) / grain + 1), zero);
  parallel_for(features.rows(), grain, threads, [&](int64_t begin, int64_t end) {
    count_rows(features, classes, lengths, rules, begin, end, parts[static_cast<size_t>(begin / grain)]);
  });
  for (size_t p = 1; p < parts.size(); ++p) {
    add(parts[0].active, parts[p].active);
    add(parts[0].positive, parts[p].positive);
    add(parts[0].strong, parts[p].strong);
  }
  return std::move(parts[0]);
}

}  // namespace orthant::measure
