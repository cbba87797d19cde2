#pragma once

#include <cstdint>
#include <span>

#include "learn/tiles/amx_gemm.h"

namespace orthant {

// Convolutions whose operands are rounded to bfloat16 while they are packed, and whose products are summed in float32
// by AMX. Nothing is spent on padding: 32 images pass together, a pixel of each being a row of the tiles, and what lies
// beyond the edge is left out. A linear layer is one of 1x1 pixels.
//
// Images are [batch, height, width, channels] in float32, the channels innermost; any size and number of channels.
// missing_amx() has to be empty. Kernels allocate nothing, use `threads` threads of the OpenMP pool, and give results
// that depend on neither their number nor their timing, except the weights' gradient, which is summed per thread and so
// depends on the number. No more threads have work than there are times 32 images.
struct Bf16ConvShape {
  int64_t batch = 0;
  int64_t height = 1;  // of the input
  int64_t width = 1;
  int64_t in = 0;      // channels
  int64_t out = 0;     // channels
  int64_t kernel = 1;  // both sides; at most kMostBf16Kernel
  int64_t stride = 1;
  int64_t padding = 0;  // less than the kernel

  int64_t out_height() const { return (height + 2 * padding - kernel) / stride + 1; }
  int64_t out_width() const { return (width + 2 * padding - kernel) / stride + 1; }
  int64_t taps() const { return kernel * kernel; }
};

constexpr int64_t kMostBf16Kernel = 7;

// Weights [out, in, kernel, kernel] as tiles for the forward pass, or transposed for the gradient of the input, and how
// many numbers either takes.
int64_t bf16_weight_numbers(const Bf16ConvShape& shape);
void bf16_weights(std::span<const float> weights, const Bf16ConvShape& shape, int threads, std::span<Bf16> tiles);
void bf16_weights_transposed(std::span<const float> weights, const Bf16ConvShape& shape, int threads,
                             std::span<Bf16> tiles);

// Numbers of scratch memory that each of the three below needs, and the floats of sums of the last.
int64_t bf16_forward_scratch(const Bf16ConvShape& shape, int threads);
int64_t bf16_input_gradient_scratch(const Bf16ConvShape& shape, int threads);
int64_t bf16_weight_gradient_scratch(const Bf16ConvShape& shape, int threads);
int64_t bf16_weight_gradient_sums(const Bf16ConvShape& shape, int threads);

// x [batch, height, width, in] and tiles of bf16_weights() to y [batch, out_height(), out_width(), out].
void bf16_forward(std::span<const float> x, std::span<const Bf16> tiles, const Bf16ConvShape& shape, int threads,
                  std::span<Bf16> scratch, std::span<float> y);

// The gradient of x from that of y and tiles of bf16_weights_transposed(); overwritten.
void bf16_input_gradient(std::span<const float> dy, std::span<const Bf16> tiles, const Bf16ConvShape& shape,
                         int threads, std::span<Bf16> scratch, std::span<float> dx);

// The gradient of the weights [out, in, kernel, kernel]; overwritten.
void bf16_weight_gradient(std::span<const float> x, std::span<const float> dy, const Bf16ConvShape& shape, int threads,
                          std::span<Bf16> scratch, std::span<float> sums, std::span<float> dweights);

}  // namespace orthant
