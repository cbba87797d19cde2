#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::catalogue {

// What one feature adds to the similarity of two rows.
struct ExplanationPart {
  int64_t feature = 0;
  float a = 0;
  float b = 0;
  double contribution = 0;  // a b / (|row a| |row b|)
};

// Why two rows match. The score is the cosine, and it is the sum of the contributions bit for bit: added up in double
// in the order given.
struct Explanation {
  double score = 0;
  std::vector<ExplanationPart> parts;  // contributions that are not 0, largest size first, then lower feature
};

// The entries of one row that are not zero, columns rising, and its Euclidean length in double.
struct RowEntries {
  std::vector<int32_t> columns;
  std::vector<float> values;
  double norm = 0;
};
RowEntries row_entries(const Features& features, int64_t row);
RowEntries row_entries(std::span<const float> row);

// With a row of length 0 the score is 0 and there are no parts.
Explanation explain(const RowEntries& a, const RowEntries& b);

}  // namespace orthant::catalogue
