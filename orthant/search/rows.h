#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/search/neighbours.h"

namespace orthant::search {

// Features [N, D] as a search compares them: the columns kept, renumbered from 0 in the order they have in the matrix,
// and rows scaled as the metric asks. Borrows the features. Reading from several threads is safe.
class SearchRows {
 public:
  // Reads everything once. std::invalid_argument as neighbours() says.
  SearchRows(const Features& features, const NeighbourOptions& options);

  const Features& features() const { return features_; }
  bool keeps(int64_t column) const { return positions_.empty() || positions_[static_cast<size_t>(column)] >= 0; }

  int64_t rows() const { return features_.rows(); }
  int64_t dims() const { return dims_; }                          // columns kept
  const std::vector<int64_t>& filled() const { return filled_; }  // [dims] non-zero entries in each of them
  double scale(int64_t i) const { return scales_.empty() ? 1 : scales_[static_cast<size_t>(i)]; }

  // What a score begins with before the products are added: 0, or for squared distances -|row|^2 / 2, so that larger
  // is nearer for every metric.
  float start(int64_t i) const { return starts_.empty() ? 0 : starts_[static_cast<size_t>(i)]; }

  // Calls visit(position, value) for the non-zero entries that count in row i, from left to right, not yet scaled.
  template <class Visitor>
  void visit_unscaled(int64_t i, Visitor&& visit) const {
    if (positions_.empty()) {
      features_.visit_row(i, [&](int64_t j, float x) {
        if (x != 0) visit(j, x);
      });
    } else {
      features_.visit_row(i, [&](int64_t j, float x) {
        const int32_t position = positions_[static_cast<size_t>(j)];
        if (x != 0 && position >= 0) visit(int64_t{position}, x);
      });
    }
  }

  // The same with the values that are multiplied.
  template <class Visitor>
  void visit(int64_t i, Visitor&& visit) const {
    const double factor = scale(i);
    visit_unscaled(i, [&](int64_t j, float x) { visit(j, static_cast<float>(static_cast<double>(x) * factor)); });
  }

 private:
  void place_columns(const std::vector<int64_t>& columns);
  void read_rows(const NeighbourOptions& options);

  Features features_;
  int64_t dims_;
  std::vector<int64_t> filled_;
  std::vector<int32_t> positions_;  // [D] where a column went, -1: dropped; empty: all are kept
  std::vector<double> scales_;      // [N], empty: 1
  std::vector<float> starts_;       // [N], empty: 0
};

}  // namespace orthant::search
