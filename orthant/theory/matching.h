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
// live column must be a scaled copy of one column of `truth`.
struct SplitColumns {
  int64_t live = 0;             // columns with a norm above 1e-3 of the largest
  int64_t pure = 0;             // live columns whose best |cos| is at least 0.99
  double purity = 0;            // mean best |cos| of the live columns, weighted by their squared norm
  int64_t classes_covered = 0;  // columns of truth that are the best of at least one pure column
  double worst = 0;             // the smallest best |cos| of a live column
};
SplitColumns split_columns(const Matrix64& truth, const Matrix64& found);

}  // namespace orthant::theory
