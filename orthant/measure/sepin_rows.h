#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::measure {

// A feature that is not zero on a row.
struct SepinEntry {
  int32_t row;
  int32_t reduced;  // the row's number in SepinRows::reduced() if this feature dominates it; otherwise -1
  float value;      // z_ai of the row scaled to unit length
  float inverse;    // 1 / |z_a without i|; 0 for a zero vector; 1 if rows are not renormalised
};

// The rows of both views of a batch of P pairs as SEPIN needs them: 2 P rows of unit length, first those of the first
// view, in blocks of kSepinBlock. Copies what it needs; reading from several threads is safe.
//
// A feature dominates a row if it makes up more than half of the squared length: z_a . z_b - z_ai z_bi would then lose
// digits, more the more it dominates. There is at most one such feature per row, and "reduced" rows, which are the row
// without it at unit length again, avoid the difference.
class SepinRows {
 public:
  // The pairs with numbers `pairs` of two matrices of the same shape.
  SepinRows(const Features& first, const Features& second, std::span<const int64_t> pairs, bool renormalise);

  int64_t rows() const { return unit_.rows(); }
  int64_t cols() const { return unit_.cols(); }
  int64_t pairs() const { return rows() / 2; }
  int64_t blocks() const;
  int64_t block_rows(int64_t block) const;  // kSepinBlock, or what is left for the last one
  int64_t zero_rows() const { return zero_rows_; }
  int64_t partner(int64_t row) const { return row < pairs() ? row + pairs() : row - pairs(); }

  const Matrix& unit() const { return unit_; }        // [2 P, D]; a zero row stays zero
  const Matrix& reduced() const { return reduced_; }  // [R, D], in the order of their rows
  int64_t reduced_begin(int64_t block) const { return reduced_begin_[static_cast<size_t>(block)]; }

  // The entries of a feature in a block, or in all of them; rows rise.
  std::span<const SepinEntry> entries(int64_t feature, int64_t block) const;
  std::span<const SepinEntry> entries(int64_t feature) const;

  // Cosine of pair p, in double.
  double positive(int64_t pair) const { return positives_[static_cast<size_t>(pair)]; }
  // Cosine of pair p without a feature (or, if rows are not renormalised, what is left of it); the entries of its two
  // rows, either of which may be null where the feature is zero.
  double positive_without(int64_t feature, int64_t pair, const SepinEntry* first, const SepinEntry* second) const;

  // The sum over a row's negatives of e^(cos / temperature) without a feature, from the rows themselves and in double.
  // Takes time O(P D).
  double negatives_without(int64_t feature, int64_t row, double temperature) const;

 private:
  void fill_row(int64_t row, const Features& features, int64_t source);
  void reduce_rows();
  void list_entries();
  double inverse_without(int64_t row, const SepinEntry* entry) const;

  bool renormalise_;
  int64_t zero_rows_ = 0;
  Matrix unit_;
  Matrix reduced_;
  std::vector<double> squared_;            // [2 P]: squared length of unit rows, which is 1 up to rounding, or 0
  std::vector<int32_t> dominant_;          // [2 P]: the feature that dominates a row; -1: none
  std::vector<int32_t> reduced_index_;     // [2 P]: number of the reduced row; -1: none
  std::vector<double> reduced_inverse_;    // [R]
  std::vector<int64_t> reduced_begin_;     // [blocks + 1]
  std::vector<SepinEntry> entries_;        // by feature, then row
  std::vector<int64_t> entries_begin_;     // [D * blocks + 1]
  std::vector<double> positives_;          // [P]
  std::vector<double> positive_products_;  // [P]: before division by lengths
};

}  // namespace orthant::measure
