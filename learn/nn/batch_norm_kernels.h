#pragma once

#include <cstdint>
#include <span>

namespace orthant {

// Batch norm with what follows it in a residual network, in as few passes over memory as there can be:
// y = relu(scale * x + shift + residual). Matrices are [rows, channels] with the channels innermost, where the rows are
// all pixels of all images; channels is a multiple of kBatchNormLanes. Kernels allocate nothing and use `threads`
// threads of the OpenMP pool; sums are taken over kBatchNormChunks fixed pieces, so that results do not depend on it.
constexpr int64_t kBatchNormLanes = 16;
constexpr int64_t kBatchNormChunks = 64;

// Floats of scratch memory that the reductions need.
inline int64_t batch_norm_scratch(int64_t channels) { return kBatchNormChunks * 2 * channels; }

// Mean and variance (divided by rows) of every channel. rows must be positive.
void batch_norm_statistics(std::span<const float> x, int64_t rows, int64_t channels, int threads,
                           std::span<float> scratch, std::span<float> mean, std::span<float> variance);

// y = scale * x + shift, plus `residual` unless empty, negatives cut off if `relu`. y may be x.
void batch_norm_apply(std::span<const float> x, std::span<const float> scale, std::span<const float> shift,
                      std::span<const float> residual, bool relu, int64_t rows, int64_t channels, int threads,
                      std::span<float> y);

// Where the ReLU let something through: where y > 0. y is given, or made again as scale * x + shift, which takes less
// time than reading it; without both, there was no ReLU.
struct BatchNormMask {
  enum class Kind { none, input, output };
  std::span<const float> scale;
  std::span<const float> shift;
  std::span<const float> y;

  Kind kind() const { return !y.empty() ? Kind::output : !scale.empty() ? Kind::input : Kind::none; }
};

// With g = dy where the mask is open: the sums of g and of g * (x - mean) for every channel. g itself, which is the
// residual's gradient, goes to `masked` unless that is empty.
void batch_norm_reduce_gradient(std::span<const float> x, const BatchNormMask& mask, std::span<const float> dy,
                                std::span<const float> mean, int64_t rows, int64_t channels, int threads,
                                std::span<float> scratch, std::span<float> masked, std::span<float> sum_g,
                                std::span<float> sum_gx);

// dx = a * g + b * x + c with g as above.
void batch_norm_apply_gradient(std::span<const float> x, const BatchNormMask& mask, std::span<const float> dy,
                               std::span<const float> a, std::span<const float> b, std::span<const float> c,
                               int64_t rows, int64_t channels, int threads, std::span<float> dx);

}  // namespace orthant
