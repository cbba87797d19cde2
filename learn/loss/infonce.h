#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/loss/rows.h"

namespace orthant::loss {

// The memory that info_nce() works in: O(rows) and a tile per thread, never rows^2. Made for one batch shape and
// thread count; not shared between calls that run at the same time.
struct InfoNceWorkspace {
  InfoNceWorkspace(const Batch& batch, int threads);

  int threads;
  std::vector<float> tiles;  // one per thread
  std::vector<float> peaks;  // the sum over a row's negatives is e^peak * sum
  std::vector<double> sums;
  std::vector<float> log_totals;      // log(P_i + N_i)
  std::vector<double> log_positives;  // log P_i
  std::vector<double> losses;         // of each row
};

// InfoNCE as defined in learn/loss/loss.h, of unit rows (a zero row stays zero: its similarities are all 0).
// Returns the loss; `gradient` [rows, dims], unless it is empty, receives the derivative with respect to the unit
// rows, each entry of them taken as free.
//
// Two passes over tiles of the upper triangle: the rows' sums of exponentials, then the weights
// w_ij = e^(s_ij - log_total_i) + e^(s_ij - log_total_j) and gradient += w Z, both ways since w is symmetric.
// Positives stay out of the tiles and are summed apart in float64: where the loss of a row is small, its gradient is
// a small factor -(1 - e^-loss) and not the difference of two numbers near 1. Allocates nothing. The result does not
// depend on the number of threads: every row is added to in a fixed order.
double info_nce(const Batch& batch, std::span<const float> unit, double temperature, std::span<float> gradient,
                InfoNceWorkspace& workspace);

}  // namespace orthant::loss
