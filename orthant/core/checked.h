#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace orthant {

// Arithmetic on sizes that came from a file. Each returns nothing instead of wrapping around.
// Negative operands are refused as well: a size is never negative.

inline std::optional<int64_t> checked_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// Product of a range of dimensions; 1 for none.
template <class Range>
std::optional<int64_t> checked_product(const Range& dims) {
  std::optional<int64_t> product = 1;
  for (const auto dim : dims) {
    product = checked_multiply(*product, static_cast<int64_t>(dim));
    if (!product) return std::nullopt;
  }
  return product;
}

}  // namespace orthant
