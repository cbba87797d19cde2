#pragma once

#include <cstdint>
#include <span>

// Kernels on one tile of the matrix of similarities, on whatever SIMD the machine has. A tile [rows, cols] is
// row-major with `stride` floats per row; stride is a multiple of kTileLanes, and columns from cols up to the next
// multiple of kTileLanes hold kMasked. Masked entries weigh nothing. Spans along the columns have room for that
// multiple as well. Nothing is allocated; tiles may be worked on by several threads.
namespace orthant::loss {

constexpr int64_t kTileLanes = 16;
constexpr float kMasked = -1e30f;  // far below any similarity, so that its exponential is 0

struct Tile {
  float* values;
  int64_t rows;
  int64_t cols;
  int64_t stride;
};

// The sum of e^x over a growing set of x, kept as e^peak * sum so that nothing overflows. Starts as {kMasked, 0}.
struct LogSums {
  std::span<float> peak;
  std::span<double> sum;
};

// Adds row i of the tile to sums[i]. A set of nothing but masked entries counts as masked: its sum is wiped out by
// the first entry that is not.
void add_rows(const Tile& tile, LogSums sums);

// Adds column j of the tile to sums[j].
void add_columns(const Tile& tile, LogSums sums);

// x_ij becomes e^(x_ij - row_shift[i]) + e^(x_ij - column_shift[j]).
void exponentiate(const Tile& tile, std::span<const float> row_shift, std::span<const float> column_shift);

// out[i] = e^x[i] as the functions above compute it, for x[i] <= 88.
void exponentials(std::span<const float> x, std::span<float> out);

}  // namespace orthant::loss
