#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::decompose {

// The mean of the rows of vectors [N, D] at unit length, summed in double in an order that does not depend on
// `threads`. std::invalid_argument, naming `name` and the row, for a row that is zero or has an entry that is NaN or
// infinite, and for no rows.
std::vector<double> mean_direction(const Features& vectors, const std::string& name, int threads = 0);

// How vectors are brought to where codes are computed: to unit length, less the centre, to unit length again.
// An empty centre: to unit length only. out [D] is zero, and false returned, if nothing is left of the row but
// rounding.
bool centred_row(const Features& vectors, int64_t row, std::span<const double> centre, std::span<float> out);

}  // namespace orthant::decompose
