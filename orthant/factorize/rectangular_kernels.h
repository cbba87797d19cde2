#pragma once

#include <cstdint>
#include <span>

// The inner loops of the rectangular solvers: SIMD by what the CPU offers, on one thread, without allocation.

namespace orthant::factorize {

// Doubles of scratch that hals_rows() needs for factors of k columns.
int64_t hals_scratch_size(int64_t k);

// Coordinate descent on independent non-negative least-squares problems that share their Gram matrix: row by row,
// minimises w G w^T / 2 - w b^T over w >= 0 for the rows of w [rows, k] with those of b [rows, k] and G = `gram` [k,
// k], symmetric. Sweeps over a block of rows until a sweep moves it by less than a tenth of what its first sweep did,
// but at most `max_sweeps` times. Coordinates with G_jj = 0 stay as they are. A row's result depends only on the rows
// of its block of hals_block_rows(): start pieces at multiples of that.
void hals_rows(std::span<double> w, std::span<const double> b, std::span<const double> gram, int64_t k, int max_sweeps,
               std::span<double> scratch);
int64_t hals_block_rows();

// One row of the Kullback-Leibler update: out [K] = sum over t of values[t] / x_t * h_t, where h_t is row indices[t] of
// h [., K] and x_t = max(w . h_t, tiny). Returns the sum over t of values[t] * log(x_t). Indices are trusted.
double kl_row(std::span<const int32_t> indices, std::span<const double> values, std::span<const double> w,
              const double* h, std::span<double> out);

}  // namespace orthant::factorize
