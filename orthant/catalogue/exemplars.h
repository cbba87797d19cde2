#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant {

// The items that show what one feature means. An item fires if its entry, the row scaled to unit length, exceeds 1e-5.
struct Exemplars {
  int64_t firing = 0;           // how many items fire
  double consistency = 0;       // share of the commonest class among those that fire and have one; 0 without
  int64_t commonest = -1;       // that class, of equal ones the lowest; -1 without
  std::vector<int64_t> top;     // the strongest, strongest first; of equal ones the lower item
  std::vector<int64_t> spread;  // evenly spaced over all that fire, from the strongest to the weakest
};

// Of each feature (column) in `columns`, with at most `top` and `spread` items. `labels` holds a class for each row
// (-1: unknown) or nothing. One pass over the rows. std::invalid_argument for columns that are not there or labels that
// do not fit.
std::vector<Exemplars> exemplars(const Features& features, std::span<const int64_t> labels,
                                 std::span<const int64_t> columns, int64_t top, int64_t spread);

}  // namespace orthant
