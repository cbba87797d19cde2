#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::exchange {

struct Entry {
  int64_t column = 0;
  float value = 0;
};

// The entries of row i that are not 0, by rising column; those nearer to 0 than `least` are left out too.
void read_row(const Features& features, int64_t i, float least, std::vector<Entry>& entries);

// What all rows are like, from one pass over them.
struct Survey {
  int64_t entries = 0;  // that are not 0
  int64_t tiny = 0;     // of these, nearer to 0 than a normal float (1.2e-38)
  int64_t empty_rows = 0;
  int64_t longest = 0;  // entries of the row that has most
  int64_t longest_row = 0;
  float largest = 0;  // value; 0 if there are no entries
  float smallest = 0;
  int64_t smallest_row = 0;
  int64_t smallest_column = 0;
};

Survey survey_rows(const Features& features);

}  // namespace orthant::exchange
