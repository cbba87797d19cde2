#pragma once

#include <cstdint>
#include <span>

// Products of row-major matrices whose bits do not depend on the number of threads. Nothing is allocated.
namespace orthant::loss {

struct Factor {
  const float* values;
  int64_t stride;
  bool transposed = false;
};

// out [rows, cols] = a b over panels of rows; a is [rows, inner], or [inner, rows] if transposed, and so for b.
void multiply(const Factor& a, const Factor& b, float* out, int64_t rows, int64_t cols, int64_t inner, int threads);

// The sum of a[i] b[i], in float64.
double sum_of_products(std::span<const float> a, std::span<const float> b);

}  // namespace orthant::loss
