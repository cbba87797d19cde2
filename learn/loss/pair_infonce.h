#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/loss/rows.h"

// The losses of two towers see a batch of two views: row b is what the first tower makes of item b, row items + b
// what the second makes of it.
namespace orthant::loss {

// The memory that pair_info_nce() works in: O(rows) and a tile per thread, never rows^2. Made for one batch shape and
// thread count; not shared between calls that run at the same time.
struct PairWorkspace {
  PairWorkspace(const Batch& batch, int threads);

  int threads;
  std::vector<float> tiles;  // one per thread
  // Of each row, both towers padded to whole tiles, the second after the first.
  std::vector<float> peaks;  // the sum over a row's negatives is e^peak * sum
  std::vector<double> sums;
  std::vector<float> log_totals;
  std::vector<double> losses;
};

struct PairInfoNce {
  double loss = 0;
  double by_log_scale = 0;  // its derivative with respect to log(scale); 0 unless a gradient is wanted
};

// The symmetric InfoNCE of learn/loss/pair_loss.h, of unit rows (a zero row stays zero: its similarities are all 0).
// `gradient` [rows, dims], unless it is empty, receives the derivative with respect to the unit rows, each entry of
// them taken as free.
//
// Two passes over tiles of the items x items similarities: sums of exponentials along rows and columns, then the
// weights w_ij = e^(s_ij - log_total_i) + e^(s_ij - log_total_j), whose products with either tower are the gradient of
// the other. Pairs stay out of the tiles as positives do in info_nce(), and for the same reason. Allocates nothing. The
// result does not depend on the number of threads: every row is added to in a fixed order.
PairInfoNce pair_info_nce(const Batch& batch, std::span<const float> unit, double scale, std::span<float> gradient,
                          PairWorkspace& workspace);

// Mean cosine of unit rows, of the two towers' rows of one item and of different items. `sums` has room for 2 * dims
// values.
MeanCosines tower_cosines(const Batch& batch, std::span<const float> unit, std::span<double> sums);

}  // namespace orthant::loss
