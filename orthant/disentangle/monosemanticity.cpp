#include "orthant/disentangle/monosemanticity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"
#include "orthant/core/threads.h"

namespace orthant::disentangle {
namespace {

constexpr int64_t kSlice = 32;  // columns of the reference that are summed at a time

// A feature over the items that count.
struct Column {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double squares = 0;
  int64_t visited = 0;
};

std::vector<double> lengths_of(const Features& reference, int threads) {
  std::vector<double> lengths(static_cast<size_t>(reference.rows()));
  parallel_for(reference.rows(), 1024, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) lengths[static_cast<size_t>(i)] = reference.row_norm(i);
  });
  return lengths;
}

std::vector<Column> columns_of(const Features& features, const std::vector<double>& lengths, int64_t items) {
  std::vector<Column> columns(static_cast<size_t>(features.cols()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    if (lengths[static_cast<size_t>(i)] == 0) continue;
    features.visit_row(i, [&](int64_t k, float value) {
      Column& column = columns[static_cast<size_t>(k)];
      const double x = value;
      column.smallest = std::min(column.smallest, x);
      column.largest = std::max(column.largest, x);
      column.sum += x;
      column.squares += x * x;
      ++column.visited;
    });
  }
  for (Column& column : columns) {
    if (column.visited == items) continue;
    column.smallest = std::min(column.smallest, 0.0);
    column.largest = std::max(column.largest, 0.0);
  }
  return columns;
}

// [D]: for how many items each feature is above its smallest value.
std::vector<int64_t> on_counts(const Features& features, const std::vector<double>& lengths,
                               const std::vector<Column>& columns, int64_t items) {
  std::vector<int64_t> on(columns.size());
  for (size_t k = 0; k < columns.size(); ++k) on[k] = columns[k].smallest < 0 ? items - columns[k].visited : 0;
  for (int64_t i = 0; i < features.rows(); ++i) {
    if (lengths[static_cast<size_t>(i)] == 0) continue;
    features.visit_row(
        i, [&](int64_t k, float x) { on[static_cast<size_t>(k)] += x > columns[static_cast<size_t>(k)].smallest; });
  }
  return on;
}

// sums [D + 1, F]: of the reference's unit rows weighted by each feature, and in the last row of all with weight one.
// Every entry is summed over the rows in their order, whatever the number of threads.
Matrix64 weighted_sums(const Features& features, const Features& reference, const std::vector<double>& lengths,
                       int threads) {
  const int64_t width = reference.cols();
  Matrix64 sums(features.cols() + 1, width);
  double* const out = sums.mutable_data();
  parallel_for(width, kSlice, threads, [&](int64_t begin, int64_t end) {
    std::vector<double> unit(static_cast<size_t>(end - begin));
    const auto add = [&](int64_t k, double weight) {
      double* const row = out + k * width + begin;
      for (size_t j = 0; j < unit.size(); ++j) row[j] += weight * unit[j];
    };
    for (int64_t i = 0; i < features.rows(); ++i) {
      const double length = lengths[static_cast<size_t>(i)];
      if (length == 0) continue;
      std::ranges::fill(unit, 0.0);
      if (const Matrix* const dense = reference.dense()) {
        const float* const row = dense->row(i).data() + begin;
        for (size_t j = 0; j < unit.size(); ++j) unit[j] = row[j] / length;
      } else {
        reference.visit_row(i, [&](int64_t j, float x) {
          if (j >= begin && j < end) unit[static_cast<size_t>(j - begin)] = x / length;
        });
      }
      features.visit_row(i, [&](int64_t k, float x) {
        if (x != 0) add(k, x);
      });
      add(features.cols(), 1);
    }
  });
  return sums;
}

}  // namespace

Monosemanticity monosemanticity(const Features& features, const Features& reference,
                                const MonosemanticityOptions& options) {
  check(reference.rows() == features.rows(), "[monosemanticity] expected a reference of ", features.rows(),
        " rows, as the features have, got ", reference.rows());
  const std::vector<double> lengths = lengths_of(reference, options.threads);
  Monosemanticity found;
  found.items = std::ssize(lengths) - std::ranges::count(lengths, 0.0);
  check(found.items >= 2, "[monosemanticity] expected a reference with two rows at least that are not zero, got ",
        found.items);
  const auto items = static_cast<double>(found.items);
  const std::vector<Column> columns = columns_of(features, lengths, found.items);
  const std::vector<int64_t> on = on_counts(features, lengths, columns, found.items);
  const Matrix64 sums = weighted_sums(features, reference, lengths, options.threads);
  const auto all = sums.row(features.cols());
  double squares = 0;
  for (const double x : all) squares += x * x;
  found.chance = (squares - items) / (items * (items - 1));
  found.scores.assign(columns.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> scored;
  for (size_t k = 0; k < columns.size(); ++k) {
    if (on[k] < 2) continue;
    const Column& column = columns[k];
    const double range = column.largest - column.smallest;
    const double low = column.smallest;
    const double u = (column.sum - items * low) / range;
    const double v = (column.squares - 2 * low * column.sum + items * low * low) / (range * range);
    const double pairs = u * u - v;
    if (!(pairs > 1e-9 * u * u)) continue;  // on for one item, but for rounding
    const auto weighted = sums.row(static_cast<int64_t>(k));
    double w = 0;
    for (size_t j = 0; j < all.size(); ++j) {
      const double x = (weighted[j] - low * all[j]) / range;
      w += x * x;
    }
    found.scores[k] = (w - v) / pairs;
    scored.push_back(found.scores[k]);
    found.mean += found.scores[k];
  }
  found.features = std::ssize(scored);
  if (scored.empty()) return found;
  found.mean /= static_cast<double>(scored.size());
  const auto tenth = scored.begin() + static_cast<std::ptrdiff_t>((scored.size() - 1) / 10);
  std::ranges::nth_element(scored, tenth);
  found.lowest_tenth = *tenth;
  return found;
}

}  // namespace orthant::disentangle
