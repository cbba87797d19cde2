#include "orthant/fit/boosting_bins.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::fit {
namespace {

struct Run {
  float value;
  int64_t count;
};

std::vector<Run> runs_of(const CodeColumns::Column& column, int64_t rows) {
  std::vector<float> sorted(column.values.begin(), column.values.end());
  std::ranges::sort(sorted);
  const int64_t zeros = rows - static_cast<int64_t>(sorted.size());
  std::vector<Run> runs;
  bool zeros_placed = zeros == 0;
  for (const float x : sorted) {
    if (!zeros_placed && x > 0) {
      runs.push_back({0, zeros});
      zeros_placed = true;
    }
    if (!runs.empty() && runs.back().value == x) {
      ++runs.back().count;
    } else {
      runs.push_back({x, 1});
    }
  }
  if (!zeros_placed) runs.push_back({0, zeros});
  return runs;
}

// Edges half-way between neighbouring values. A bin is closed when it holds its share of what is left, so that one
// frequent value (zero) does not empty the others.
std::vector<double> edges_of(std::span<const Run> runs, int64_t max_bins) {
  std::vector<double> edges;
  int64_t left = 0;
  for (const Run& run : runs) left += run.count;
  int64_t filled = 0;
  const bool few = static_cast<int64_t>(runs.size()) <= max_bins;
  for (size_t r = 0; r + 1 < runs.size(); ++r) {
    filled += runs[r].count;
    const int64_t bins_left = max_bins - static_cast<int64_t>(edges.size());
    if (bins_left <= 1) break;
    if (!few && filled * bins_left < left) continue;
    edges.push_back((static_cast<double>(runs[r].value) + runs[r + 1].value) / 2);
    left -= filled;
    filled = 0;
  }
  return edges;
}

uint8_t bin_of(std::span<const double> edges, double x) {
  return static_cast<uint8_t>(std::ranges::lower_bound(edges, x) - edges.begin());
}

}  // namespace

BinnedCodes::Column BinnedCodes::cut(const CodeColumns::Column& values, int64_t max_bins) const {
  Column column;
  column.edges = edges_of(runs_of(values, rows_), max_bins);
  column.zero_bin = bin_of(column.edges, 0);
  std::vector<uint8_t> bins;
  bins.reserve(values.values.size());
  std::vector<int64_t> counts(column.edges.size() + 1);
  counts[column.zero_bin] = rows_ - static_cast<int64_t>(values.values.size());
  for (const float x : values.values) {
    bins.push_back(bin_of(column.edges, x));
    ++counts[bins.back()];
  }
  column.default_bin = static_cast<uint8_t>(std::ranges::max_element(counts) - counts.begin());
  const bool zeros_stored = column.default_bin != column.zero_bin;
  size_t e = 0;
  for (int32_t i = 0; i < rows_; ++i) {
    uint8_t bin = column.zero_bin;
    if (e < values.rows.size() && values.rows[e] == i) {
      bin = bins[e++];
    } else if (!zeros_stored) {
      continue;
    }
    if (bin == column.default_bin) continue;
    column.rows.push_back(i);
    column.bins.push_back(bin);
  }
  return column;
}

BinnedCodes::BinnedCodes(const CodeColumns& codes, int64_t max_bins, int threads) : rows_(codes.rows()) {
  check(max_bins >= 2 && max_bins <= 256, "[boosting] expected 2 to 256 bins, got ", max_bins);
  columns_.resize(static_cast<size_t>(codes.cols()));
  parallel_for(codes.cols(), 4, threads, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) columns_[static_cast<size_t>(j)] = cut(codes.column(j), max_bins);
  });
  row_start_.assign(static_cast<size_t>(rows_) + 1, 0);
  for (Column& column : columns_) {
    column.offset = all_bins_;
    all_bins_ += static_cast<int64_t>(column.edges.size()) + 1;
    for (const int32_t i : column.rows) ++row_start_[static_cast<size_t>(i) + 1];
  }
  for (size_t i = 1; i < row_start_.size(); ++i) row_start_[i] += row_start_[i - 1];
  row_entries_.resize(static_cast<size_t>(row_start_.back()));
  counts_.assign(static_cast<size_t>(all_bins_), 0);
  std::vector<int64_t> next(row_start_.begin(), row_start_.end() - 1);
  for (const Column& column : columns_) {
    int64_t* counts = counts_.data() + column.offset;
    counts[column.default_bin] = rows_ - static_cast<int64_t>(column.rows.size());
    for (size_t e = 0; e < column.rows.size(); ++e) {
      ++counts[column.bins[e]];
      const auto at = static_cast<size_t>(next[static_cast<size_t>(column.rows[e])]++);
      row_entries_[at] = static_cast<uint32_t>(column.offset + column.bins[e]);
    }
  }
}

BinnedCodes::Entries BinnedCodes::column(int64_t j) const {
  const Column& column = columns_[static_cast<size_t>(j)];
  return {column.rows, column.bins};
}

std::span<const uint32_t> BinnedCodes::row(int64_t i) const {
  const auto begin = static_cast<size_t>(row_start_[static_cast<size_t>(i)]);
  const auto end = static_cast<size_t>(row_start_[static_cast<size_t>(i) + 1]);
  return std::span(row_entries_).subspan(begin, end - begin);
}

std::vector<uint8_t> BinnedCodes::bin(const CodeColumns& others) const {
  check(others.cols() == cols(), "[boosting] expected ", cols(), " codes, got ", others.cols());
  const auto rows = static_cast<size_t>(others.rows());
  std::vector<uint8_t> binned(rows * columns_.size());
  for (size_t j = 0; j < columns_.size(); ++j) {
    const auto column = others.column(static_cast<int64_t>(j));
    const auto out = std::span(binned).subspan(j * rows, rows);
    std::ranges::fill(out, columns_[j].zero_bin);
    for (size_t e = 0; e < column.rows.size(); ++e) {
      out[static_cast<size_t>(column.rows[e])] = bin_of(columns_[j].edges, column.values[e]);
    }
  }
  return binned;
}

}  // namespace orthant::fit
