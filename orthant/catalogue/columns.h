#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant::catalogue {

// Features [N, D] by column: a transposed copy, sparse if the features are, for all that is asked of one feature; and
// where each feature fires as one bit an item. Reading from several threads is safe.
class Columns {
 public:
  // An entry fires if |x| > threshold. Memory: that of the features, and N D / 8 bytes.
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
  bool fires(int64_t f, int64_t item) const {
    return (bits_[static_cast<size_t>(f * words_ + item / 64)] >> (item % 64) & 1) != 0;
  }
  int64_t firing_together(int64_t f, int64_t g) const;

 private:
  int64_t items_ = 0;
  int64_t words_ = 0;                              // of 64 items each
  std::variant<Matrix, SparseMatrix> transposed_;  // [D, N]
  std::vector<uint64_t> bits_;                     // [D, words]
  std::vector<int64_t> firing_;
};

}  // namespace orthant::catalogue
