#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::pairing {

// Rows begin to end of the features, scaled to unit length, dense in double; a row of zeros stays as it is.
Matrix64 unit_rows(const Features& features, int64_t begin, int64_t end);

// The cosine of each row of b [M, K] with the item of a [N, K] that it belongs to; 0 with a row of zeros.
std::vector<double> matched_cosines(const Features& a, const Features& b, std::span<const int64_t> owner);

}  // namespace orthant::pairing
