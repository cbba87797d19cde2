#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/fit/code_columns.h"

namespace orthant::fit {

// Codes [N, D] with every column cut into at most `max_bins` bins of about equal counts (every distinct value its own
// bin where there are few): what histogram trees split on. Entries in a column's fullest bin, its default bin, are not
// stored, so sparse codes stay sparse. Made once and used for every factor; reading from several threads is safe.
class BinnedCodes {
 public:
  // max_bins from 2 to 256. About 10 bytes per non-zero.
  BinnedCodes(const CodeColumns& codes, int64_t max_bins, int threads);

  struct Entries {
    std::span<const int32_t> rows;
    std::span<const uint8_t> bins;
  };

  int64_t rows() const { return rows_; }
  int64_t cols() const { return static_cast<int64_t>(columns_.size()); }
  int64_t bins(int64_t j) const { return static_cast<int64_t>(columns_[static_cast<size_t>(j)].edges.size()) + 1; }
  uint8_t default_bin(int64_t j) const { return columns_[static_cast<size_t>(j)].default_bin; }

  // Bins of all columns one after the other: column j's begin at offset(j), all_bins() in all.
  int64_t offset(int64_t j) const { return columns_[static_cast<size_t>(j)].offset; }
  int64_t all_bins() const { return all_bins_; }
  std::span<const int64_t> counts() const { return counts_; }  // [all_bins] items in each

  // The stored entries of column j by row, and of row i as places in the run of all bins.
  Entries column(int64_t j) const;
  std::span<const uint32_t> row(int64_t i) const;

  // Bins of other codes with the same D columns, all of them: [D, M] by column. x is in the first bin whose upper edge
  // is not below x.
  std::vector<uint8_t> bin(const CodeColumns& others) const;

 private:
  struct Column {
    std::vector<double> edges;  // rising; bin b ends at edges[b], the last has no end
    std::vector<int32_t> rows;
    std::vector<uint8_t> bins;
    int64_t offset = 0;
    uint8_t default_bin = 0;
    uint8_t zero_bin = 0;
  };

  Column cut(const CodeColumns::Column& values, int64_t max_bins) const;

  int64_t rows_ = 0;
  int64_t all_bins_ = 0;
  std::vector<Column> columns_;
  std::vector<int64_t> counts_;
  std::vector<int64_t> row_start_;
  std::vector<uint32_t> row_entries_;
};

}  // namespace orthant::fit
