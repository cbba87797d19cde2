#pragma once

#include <cstdint>

// The inner loops of the index, on whatever SIMD the machine has. Nothing is allocated; any thread may call.
namespace orthant::index {

// scores[places[n]] += weight * levels[n] for n from 0 to count - 1; no place comes twice. Scores are 65,536.
void add_list(const uint16_t* places, const uint16_t* levels, int64_t count, float weight, float* scores);

// scores[n] += weight * levels[n] for n from 0 to count - 1.
void add_levels(const uint16_t* levels, int64_t count, float weight, float* scores);
void add_levels(const uint8_t* levels, int64_t count, float weight, float* scores);

// Rows in compressed form: entries starts[i] to starts[i + 1], of `entries` altogether, belong to row i.
template <class Column, class Value>
struct RowsOf {
  const uint32_t* starts;
  const float* scales;
  const Column* columns;
  const Value* values;
  int64_t entries;
};

// scores[i - begin] = scales[i] times the sum of query[column] * value over the entries of row i, for i from begin to
// end - 1. Starts are kept within the entries; columns must be within the query, which has 65,536 places at least if
// they are of 16 bits.
template <class Column, class Value>
void score_rows(const RowsOf<Column, Value>& rows, int64_t begin, int64_t end, const float* query, float* scores);

}  // namespace orthant::index
