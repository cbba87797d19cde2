#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::theory {

// |cos| between each column of `truth` [N, m] and each column of `found` [N, k]: [m, k]. A sign is forgiven, because a
// factor of a symmetric product is never better than up to sign. A zero column has cosine 0 with everything.
Matrix64 column_cosines(const Matrix64& truth, const Matrix64& found);

// `found` [N, k] put into the order of `truth` [N, m], so that the sum of cosines is largest.
struct MatchedColumns {
  std::vector<int64_t> permutation;  // column of `found` for each column of `truth`; -1: none left (k < m)
  std::vector<double> cosine;        // |cos| of each such pair; 0 where there is none
  double mean = 0;
  double min = 0;
};
MatchedColumns match_columns(const Matrix64& truth, const Matrix64& found);

// `found` with its columns in matched order, turned so that each has a non-negative product with its partner;
// columns that match nothing follow in their old order. [N, max(m, k)]: a column that is missing is zero.
Matrix64 reorder_columns(const Matrix64& truth, const Matrix64& found);

// For k > m, where a class may be split over several columns (paper: Theorem 5, more dimensions than classes): every
// live column must be a scaled copy of one column of `truth`. A column carries weight if its share of the squared norm
// of `found` is at least half of an equal one, 1 / (2k).
struct SplitColumns {
  struct Column {
    double share = 0;   // of the squared norm of `found`
    double cosine = 0;  // |cos| with the column of `truth` that it fits best
  };
  std::vector<Column> live;     // columns with a norm above 1e-3 of the largest, by share, largest first
  int64_t carrying = 0;         // columns that carry weight
  double worst_carrying = 0;    // the smallest |cos| of one that does; 0: there is none
  double worst = 0;             // the smallest |cos| of a live column
  double impure_share = 0;      // of the squared norm: live columns with a |cos| below 0.99
  int64_t classes_covered = 0;  // columns of truth that are the best of at least one column of |cos| >= 0.99
};
SplitColumns split_columns(const Matrix64& truth, const Matrix64& found);

}  // namespace orthant::theory
