#pragma once

#include <cstdint>
#include <span>

// Kernels of SEPIN on blocks of kSepinBlock rows, on whatever SIMD the machine has. They allocate nothing and may be
// run by several threads on different data.
namespace orthant::measure {

constexpr int64_t kSepinBlock = 128;

// One feature i over a block of rows b.
struct SepinBlock {
  alignas(64) float value[kSepinBlock];    // z_bi
  alignas(64) float inverse[kSepinBlock];  // 1 / |z_b without i|, or 0 for a zero vector
  alignas(64) float open[kSepinBlock];     // 1, or 0 for a row that takes part in no further pair
  alignas(64) double change[kSepinBlock];  // sum over pairs of (e^s without i) - (e^s with i), s = cos / temperature
};

// One row a of a block, against the rows b of another.
struct SepinRow {
  const float* products;  // [kSepinBlock]: z_a . z_b, or with `value` 0: (z_a without i) . z_b
  const float* before;    // [kSepinBlock]: e^s with i
  float value;            // z_ai
  float scale;            // 1 / (temperature * |z_a without i|), or with `value` 0: of the vector in `products`
  int32_t index;          // in its block
  int32_t partner;        // index in the other block of the row that is its positive; -1: not there
};

// Takes `rows` of block `own` one after the other: closes the row, and adds the changes of its pairs with all open rows
// of `other` but its partner to both sides. `own` and `other` may be the same block. Each pair is therefore taken once,
// by whichever of its two rows comes first. s is at most `limit`.
void take_rows(std::span<const SepinRow> rows, float limit, SepinBlock& own, SepinBlock& other);

// out[i] = e^min(scale * x[i], limit), exactly as take_rows computes it. The sizes are multiples of 16.
void scaled_exponentials(std::span<const float> x, float scale, float limit, std::span<float> out);

}  // namespace orthant::measure
