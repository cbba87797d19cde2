#pragma once

#include <cstdint>
#include <span>

namespace orthant::factorize {

// out [K] = sum over t of values[t] * b[indices[t]], where row j of b starts at b + j * K: one row of a sparse matrix
// times a dense one. SIMD by what the CPU offers; the sum runs in the order of t. Indices are trusted.
void sparse_row_times_dense(std::span<const int32_t> indices, std::span<const double> values, const double* b,
                            std::span<double> out);

}  // namespace orthant::factorize
