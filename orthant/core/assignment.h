#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant {

// The assignment of each row to a column of its own with the least total cost [R, C], R <= C: entry i is the column of
// row i (Hungarian algorithm with potentials, R^2 C operations). std::invalid_argument if R > C or a cost is not
// finite.
std::vector<int64_t> assign(const Matrix64& cost);

}  // namespace orthant
