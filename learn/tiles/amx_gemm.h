#pragma once

#include <cstdint>

// The product of bfloat16 tiles by AMX, and what brings numbers into tiles. Whoever calls has seen that missing_amx()
// (orthant/core/amx.h) is empty. Where AMX cannot even be compiled, all of it is there and does nothing.
namespace orthant {

using Bf16 = uint16_t;  // the upper half of a float32, rounded to the nearest, ties to even; subnormal numbers are 0

constexpr int64_t kTileRows = 16;
constexpr int64_t kTilePair = 32;               // rows, columns or depth of two tiles beside each other
constexpr int64_t kPairElements = 2 * 16 * 32;  // bfloat16 numbers of such a pair, one tile behind the other

// The tiles of this thread, for as long as it lives; a thread has one at a time.
class TileScope {
 public:
  TileScope();
  ~TileScope();
  TileScope(const TileScope&) = delete;
  TileScope& operator=(const TileScope&) = delete;
};

// `count` pairs of left tiles from `a` on and as many pairs of right tiles from `b` on.
struct TileRun {
  const Bf16* a;
  const Bf16* b;
  int64_t count;
};

// Where 32 x 32 sums go: rows `stride` floats apart, 32 floats each. They are added to what is there, or replace it.
struct TileSums {
  float* to;
  int64_t stride;
  bool add;
};

// The sum over all runs of left times right: 32 rows by 32 columns, each pair of tiles 32 deep. In a run the pairs of
// tiles are a_step and b_step numbers apart. A left tile is [16 rows, 32], a right one [16 pairs of rows, 16 columns,
// 2]. In a TileScope.
void multiply_tiles(const TileRun* runs, int64_t count, int64_t a_step, int64_t b_step, const TileSums& sums);

// `channels` floats as left rows: 32 numbers each, every one kPairElements behind the one before, zeros at the end.
// Without `from` all are zero.
void pack_left_row(const float* from, int64_t channels, Bf16* to);

// Two rows of `channels` floats as pairs of rows of right tiles: 16 times (even, odd) to each tile, two tiles to a pair
// of tiles, pairs `step` numbers apart, zeros at the end. Either row may be missing, which makes it zeros.
void pack_right_rows(const float* even, const float* odd, int64_t channels, int64_t step, Bf16* to);

// A right tile [16 pairs, 16 columns, 2] to the left tile [16 columns, 16 pairs, 2], in place.
void transpose_tile(Bf16* tile);

// Right tiles of a matrix whose element (row, column) is from[row * row_step + column * column_step]: `rows` of them,
// rounded up to 32, for the 32 columns from the first one of `from` on, of which `columns` exist; the rest is zero. The
// pairs of tiles lie behind one another.
void pack_right_matrix(const float* from, int64_t rows, int64_t columns, int64_t row_step, int64_t column_step,
                       Bf16* to);

}  // namespace orthant
