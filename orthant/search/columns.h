#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::search {

// Features [N, D] by column: a transposed copy, sparse if the features are, for all that is asked of one feature; and
// of dense ones where each feature fires as one bit an item. Reading from several threads is safe.
class Columns {
 public:
  // An entry fires if |x| > threshold. The features must outlive this. Memory: that of the features, and N D / 8 bytes
  // if they are dense.
  Columns(const Features& features, float threshold);

  int64_t items() const { return items_; }
  int64_t features() const { return static_cast<int64_t>(firing_.size()); }

  // Calls visit(item, value) for the entries of feature f that are not zero, items rising.
  template <class Visitor>
  void visit(int64_t f, Visitor&& visit) const {
    if (const auto* sparse = std::get_if<SparseMatrix>(&transposed_)) {
      const auto row = sparse->row(f);
      for (size_t k = 0; k < row.indices.size(); ++k) {
        if (row.values[k] != 0) visit(int64_t{row.indices[k]}, row.values[k]);
      }
    } else {
      const auto row = std::get<Matrix>(transposed_).row(f);
      for (size_t i = 0; i < row.size(); ++i) {
        if (row[i] != 0) visit(static_cast<int64_t>(i), row[i]);
      }
    }
  }

  int64_t firing(int64_t f) const { return firing_[static_cast<size_t>(f)]; }  // on how many items it fires
  std::vector<int64_t> firing_with(int64_t f) const;  // [D] on how many items each fires together with f

  // Calls visit(item) for the items on which f fires, rising.
  template <class Visitor>
  void visit_firing(int64_t f, Visitor&& visit_item) const {
    visit(f, [&](int64_t item, float value) {
      if (std::abs(value) > threshold_) visit_item(item);
    });
  }

  // [D, N]; null of dense features.
  const SparseMatrix* sparse() const { return std::get_if<SparseMatrix>(&transposed_); }

 private:
  Features features_;
  float threshold_ = 0;
  int64_t items_ = 0;
  int64_t words_ = 0;                              // of 64 items each
  std::variant<Matrix, SparseMatrix> transposed_;  // [D, N]
  std::vector<uint64_t> bits_;                     // [D, words]; empty of sparse features
  std::vector<int64_t> firing_;
};

}  // namespace orthant::search
