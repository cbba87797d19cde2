#pragma once

#include <cstdint>

// The inner loops of adapting vectors, on whatever SIMD the machine has. Counts are multiples of kLane (floats.h) and
// rows begin on 64 bytes, unless said. Sums have a fixed order on one machine. Nothing is allocated; any thread may
// call.
namespace orthant::adapt {

float dot(const float* a, const float* b, int64_t count);

// sum += factor * row, and the same of four rows at a time, one product after the other.
void add_row(float* sum, const float* row, float factor, int64_t count);
void add_four_rows(float* sum, const float* const* rows, const float* factors, int64_t count);

// Finds every i below `count` (any number) with values[i] + bias[i] > threshold, in rising order: writes i and the sum,
// and returns how many. `found` and `sums` have room for count + kLane.
int64_t find_above(const float* values, const float* bias, int64_t count, float threshold, int32_t* found, float* sums);

// Adam (Kingma and Ba, 2015) as PyTorch computes it, on one row.
struct AdamStep {
  float rate = 0;  // divided by 1 - beta1^t
  float root = 1;  // 1 / sqrt(1 - beta2^t)
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
};
void adam(float* weights, const float* gradient, float* first, float* second, int64_t count, const AdamStep& step);

// values[i] = e^((values[i] - 1) * sharpness) for i below `count`, any number with room up to the next multiple of
// kLane; returns their sum.
double exponentials(float* values, int64_t count, float sharpness);

}  // namespace orthant::adapt
