#pragma once

#include <cstdint>
#include <span>

namespace orthant {

// 3x3 convolutions of padding 1 by Winograd's minimal filtering (Lavin and Gray, "Fast algorithms for convolutional
// neural networks", 2016). A tile is 4x4 of the output; the window of the input around it is transformed to points,
// multiplied by the transformed weights in one matrix product over channels for each point, and transformed back. Both
// gradients are the adjoints of the same three maps. Of stride 1 it is F(4x4, 3x3): 36 products for the 144 of the
// direct sum. Of stride 2 even and odd pixels are filtered apart: 81 products, by as many weights as of stride 1.
//
// Images are [batch, height, width, channels], the channels innermost; any height and width. Kernels allocate nothing,
// use `threads` threads of the OpenMP pool, and give results that depend on neither their number nor their timing,
// except the weights' gradient, which is summed per thread and so depends on the number.
struct WinogradShape {
  int64_t batch = 0;
  int64_t height = 0;  // of the input
  int64_t width = 0;
  int64_t in = 0;      // channels; a multiple of kWinogradLanes
  int64_t out = 0;     // channels; a multiple of kWinogradLanes
  int64_t stride = 1;  // or 2

  int64_t out_height() const { return (height - 1) / stride + 1; }
  int64_t out_width() const { return (width - 1) / stride + 1; }
  int64_t in_floats() const { return height * width * in; }  // of one image
  int64_t out_floats() const { return out_height() * out_width() * out; }
  int64_t points() const { return stride == 1 ? 36 : 81; }  // products per tile
};

constexpr int64_t kWinogradLanes = 16;  // floats in one cache line: matrices are stored in panels of that many columns
constexpr int64_t kWinogradWeights = 36;  // matrices of transformed weights

// Floats of one set of transformed weights.
inline int64_t winograd_weight_floats(int64_t in, int64_t out) { return kWinogradWeights * in * out; }

// Weights [out, in, 3, 3] to panels [36, out / 16, in, 16] for the forward pass, and to [36, in / 16, out, 16] for the
// gradient of the input. Of the shape, in, out and stride matter.
void winograd_weights(std::span<const float> weights, const WinogradShape& shape, int threads, std::span<float> panels);
void winograd_weights_transposed(std::span<const float> weights, const WinogradShape& shape, int threads,
                                 std::span<float> panels);

// Floats of scratch memory that the two below need.
int64_t winograd_forward_scratch(const WinogradShape& shape, int threads);
int64_t winograd_backward_scratch(const WinogradShape& shape, int threads);

// x [batch, height, width, in] and weights as of winograd_weights() to y [batch, out_height(), out_width(), out].
void winograd_forward(std::span<const float> x, std::span<const float> panels, const WinogradShape& shape, int threads,
                      std::span<float> scratch, std::span<float> y);

// From the gradient of y: that of x (left out if dx is empty) and of the weights [out, in, 3, 3] (left out if
// dweights is empty), both overwritten. `panels` as of winograd_weights_transposed().
void winograd_backward(std::span<const float> x, std::span<const float> dy, std::span<const float> panels,
                       const WinogradShape& shape, int threads, std::span<float> scratch, std::span<float> dx,
                       std::span<float> dweights);

}  // namespace orthant
