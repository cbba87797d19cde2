#pragma once

#include <cstdint>

// The inner loops of exact search, on whatever SIMD the machine has. Every score is its start plus the products in the
// order of the columns, one fused (or rounded) product after the other, so that all kernels agree to the bit and
// columns that hold a zero may be skipped. Nothing is allocated; any thread may call.
namespace orthant::search {

constexpr int64_t kPanelRows = 16;     // rows of the bank side by side in a panel [D, 16]
constexpr int64_t kGroupQueries = 12;  // queries side by side in a group [D, 12]
constexpr int64_t kTileQueries = 32;   // queries side by side in a tile [D, 32]

// A panel against a group. Writes the scores [12, 16] of the queries that exceed their threshold with any row, and
// returns one bit for each such query. Panels, starts and scores lie on 64 bytes.
uint32_t scan_panel(const float* group, const float* panel, const float* starts, int64_t dims, const float* thresholds,
                    float* scores);

// Rows in compressed form: entries offsets[i] to offsets[i + 1] of columns and values belong to row i.
struct CompressedRows {
  const int64_t* offsets;
  const int32_t* columns;
  const float* values;
  const float* starts;
};

// A row that exceeds the threshold of at least one query of a tile; bit q stands for query q.
struct RowHit {
  int64_t row;
  uint32_t queries;
};

// Goes through rows begin to end against a tile, up to the first hit, whose scores [32] are written. Returns
// {end, 0} if there is none. Tile, thresholds and scores lie on 64 bytes.
RowHit scan_rows(const CompressedRows& rows, int64_t begin, int64_t end, const float* tile, const float* thresholds,
                 float* scores);

// scores[rows[n]] += value * values[n] for n from 0 to count - 1; no row comes twice.
void add_list(const uint16_t* rows, const float* values, int64_t count, float value, float* scores);

// products[t] += value * column[t] for t from 0 to count - 1, a multiple of 16.
void add_column(const float* column, float value, int64_t count, float* products);

// close[t] = 2 products[t] - squares[t] for t from 0 to count - 1, a multiple of 16; true if any exceeds the threshold.
bool closeness(const float* products, const float* squares, int64_t count, float threshold, float* close);

// The first position from `begin` on with scores[position] > threshold; `end` if there is none. end - begin may be
// anything; scores are readable up to the next multiple of 16 after end and hold -infinity there.
int64_t find_above(const float* scores, int64_t begin, int64_t end, float threshold);

}  // namespace orthant::search
