#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/nn/batch_norm_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes before highway.h.
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "learn/nn/batch_norm_kernels.h"
#include "orthant/core/threads.h"

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kBatchNormLanes>;

// Rows that stay in the first-level cache between two looks at them.
inline int64_t block_rows(int64_t channels) { return std::max<int64_t>(4, 4096 / channels); }

// Calls body(first channel, vectors) for groups of four vectors, and of one for the rest: a group's sums stay in
// registers, and each of its rows is read as one piece.
template <class Body>
HWY_INLINE void for_groups(int64_t channels, const Body& body) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  int64_t c = 0;
  for (; c + 4 * lanes <= channels; c += 4 * lanes) body(c, std::integral_constant<int64_t, 4>());
  for (; c < channels; c += lanes) body(c, std::integral_constant<int64_t, 1>());
}

// Mean and sum of squared deviations of the rows, block by block: each block around its own mean, then joined (Chan,
// Golub and LeVeque, 1979), so that a large mean costs no digits.
template <int64_t kVectors>
HWY_INLINE void join_statistics(const float* HWY_RESTRICT from, int64_t row, int64_t count, int64_t channels,
                                float* HWY_RESTRICT mean, float* HWY_RESTRICT squares) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto inverse = hn::Set(d, 1.0F / static_cast<float>(count));
  const auto share = hn::Set(d, static_cast<float>(count) / static_cast<float>(row + count));
  const auto cross = hn::Set(
      d, static_cast<float>(static_cast<double>(row) * static_cast<double>(count) / static_cast<double>(row + count)));
  hn::Vec<D> block_mean[static_cast<size_t>(kVectors)];
  hn::Vec<D> block_squares[static_cast<size_t>(kVectors)];
  for (int64_t v = 0; v < kVectors; ++v) block_mean[v] = block_squares[v] = hn::Zero(d);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      block_mean[v] = hn::Add(block_mean[v], hn::LoadU(d, from + i * channels + v * lanes));
    }
  }
  for (int64_t v = 0; v < kVectors; ++v) block_mean[v] = hn::Mul(block_mean[v], inverse);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      const auto off = hn::Sub(hn::LoadU(d, from + i * channels + v * lanes), block_mean[v]);
      block_squares[v] = hn::MulAdd(off, off, block_squares[v]);
    }
  }
  for (int64_t v = 0; v < kVectors; ++v) {
    const auto old = hn::LoadU(d, mean + v * lanes);
    const auto delta = hn::Sub(block_mean[v], old);
    hn::StoreU(hn::MulAdd(delta, share, old), d, mean + v * lanes);
    const auto joined = hn::Add(hn::LoadU(d, squares + v * lanes), block_squares[v]);
    hn::StoreU(hn::MulAdd(hn::Mul(delta, delta), cross, joined), d, squares + v * lanes);
  }
}

void chunk_statistics(const float* HWY_RESTRICT x, int64_t rows, int64_t channels, float* HWY_RESTRICT mean,
                      float* HWY_RESTRICT squares) {
  std::fill_n(mean, channels, 0.0F);
  std::fill_n(squares, channels, 0.0F);
  for (int64_t row = 0; row < rows; row += block_rows(channels)) {
    const int64_t count = std::min(block_rows(channels), rows - row);
    for_groups(channels, [&](int64_t c, auto vectors) HWY_ATTR {
      join_statistics<vectors()>(x + row * channels + c, row, count, channels, mean + c, squares + c);
    });
  }
}

template <bool kResidual, bool kRelu>
HWY_INLINE void apply_rows(const float* x, const float* scale, const float* shift, const float* residual, int64_t rows,
                           int64_t channels, float* y) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < channels; c += lanes) {
      const int64_t at = row * channels + c;
      auto value = hn::MulAdd(hn::LoadU(d, x + at), hn::LoadU(d, scale + c), hn::LoadU(d, shift + c));
      if constexpr (kResidual) value = hn::Add(value, hn::LoadU(d, residual + at));
      if constexpr (kRelu) value = hn::Max(value, hn::Zero(d));
      hn::StoreU(value, d, y + at);
    }
  }
}

void chunk_apply(const float* x, const float* scale, const float* shift, const float* residual, bool relu, int64_t rows,
                 int64_t channels, float* y) {
  if (residual != nullptr) {
    relu ? apply_rows<true, true>(x, scale, shift, residual, rows, channels, y)
         : apply_rows<true, false>(x, scale, shift, residual, rows, channels, y);
  } else {
    relu ? apply_rows<false, true>(x, scale, shift, residual, rows, channels, y)
         : apply_rows<false, false>(x, scale, shift, residual, rows, channels, y);
  }
}

// The gradient that the ReLU lets through: dy where y > 0 by y itself, or by y = scale * x + shift.
template <BatchNormMask::Kind kMask>
HWY_INLINE hn::Vec<D> masked_gradient(const BatchNormMask& mask, hn::Vec<D> x, const float* dy, int64_t at, int64_t c) {
  const D d;
  const auto g = hn::LoadU(d, dy + at);
  if constexpr (kMask == BatchNormMask::Kind::none) return g;
  const auto y = kMask == BatchNormMask::Kind::output
                     ? hn::LoadU(d, mask.y.data() + at)
                     : hn::MulAdd(x, hn::LoadU(d, mask.scale.data() + c), hn::LoadU(d, mask.shift.data() + c));
  return hn::IfThenElseZero(hn::Gt(y, hn::Zero(d)), g);
}

template <BatchNormMask::Kind kMask>
HWY_INLINE void reduce_rows(const float* HWY_RESTRICT x, const BatchNormMask& mask, const float* HWY_RESTRICT dy,
                            const float* HWY_RESTRICT mean, int64_t rows, int64_t channels, float* HWY_RESTRICT masked,
                            float* HWY_RESTRICT sum_g, float* HWY_RESTRICT sum_gx) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  std::fill_n(sum_g, channels, 0.0F);
  std::fill_n(sum_gx, channels, 0.0F);
  for (int64_t row = 0; row < rows; row += block_rows(channels)) {
    const int64_t end = std::min(row + block_rows(channels), rows);
    for_groups(channels, [&](int64_t first, auto vectors) HWY_ATTR {
      hn::Vec<D> block_g[static_cast<size_t>(vectors())];
      hn::Vec<D> block_gx[static_cast<size_t>(vectors())];
      for (int64_t v = 0; v < vectors(); ++v) block_g[v] = block_gx[v] = hn::Zero(d);
      for (int64_t i = row; i < end; ++i) {
        for (int64_t v = 0; v < vectors(); ++v) {
          const int64_t c = first + v * lanes;
          const int64_t at = i * channels + c;
          const auto value = hn::LoadU(d, x + at);
          const auto g = masked_gradient<kMask>(mask, value, dy, at, c);
          block_g[v] = hn::Add(block_g[v], g);
          block_gx[v] = hn::MulAdd(g, hn::Sub(value, hn::LoadU(d, mean + c)), block_gx[v]);
          if (masked != nullptr) hn::StoreU(g, d, masked + at);
        }
      }
      for (int64_t v = 0; v < vectors(); ++v) {
        const int64_t c = first + v * lanes;
        hn::StoreU(hn::Add(hn::LoadU(d, sum_g + c), block_g[v]), d, sum_g + c);
        hn::StoreU(hn::Add(hn::LoadU(d, sum_gx + c), block_gx[v]), d, sum_gx + c);
      }
    });
  }
}

void chunk_reduce(const float* x, const BatchNormMask& mask, const float* dy, const float* mean, int64_t rows,
                  int64_t channels, float* masked, float* sum_g, float* sum_gx) {
  using Kind = BatchNormMask::Kind;
  switch (mask.kind()) {
    case Kind::none:
      return reduce_rows<Kind::none>(x, mask, dy, mean, rows, channels, masked, sum_g, sum_gx);
    case Kind::input:
      return reduce_rows<Kind::input>(x, mask, dy, mean, rows, channels, masked, sum_g, sum_gx);
    case Kind::output:
      return reduce_rows<Kind::output>(x, mask, dy, mean, rows, channels, masked, sum_g, sum_gx);
  }
}

template <BatchNormMask::Kind kMask>
HWY_INLINE void gradient_rows(const float* x, const BatchNormMask& mask, const float* dy, const float* a,
                              const float* b, const float* c, int64_t rows, int64_t channels, float* dx) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t k = 0; k < channels; k += lanes) {
      const int64_t at = row * channels + k;
      const auto value = hn::LoadU(d, x + at);
      const auto rest = hn::MulAdd(value, hn::LoadU(d, b + k), hn::LoadU(d, c + k));
      hn::StoreU(hn::MulAdd(masked_gradient<kMask>(mask, value, dy, at, k), hn::LoadU(d, a + k), rest), d, dx + at);
    }
  }
}

void chunk_gradient(const float* x, const BatchNormMask& mask, const float* dy, const float* a, const float* b,
                    const float* c, int64_t rows, int64_t channels, float* dx) {
  using Kind = BatchNormMask::Kind;
  switch (mask.kind()) {
    case Kind::none:
      return gradient_rows<Kind::none>(x, mask, dy, a, b, c, rows, channels, dx);
    case Kind::input:
      return gradient_rows<Kind::input>(x, mask, dy, a, b, c, rows, channels, dx);
    case Kind::output:
      return gradient_rows<Kind::output>(x, mask, dy, a, b, c, rows, channels, dx);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant {
namespace {

HWY_EXPORT(chunk_statistics);
HWY_EXPORT(chunk_apply);
HWY_EXPORT(chunk_reduce);
HWY_EXPORT(chunk_gradient);

// Calls body(chunk, first row, rows) for the pieces of [0, rows), some of which may be empty.
template <class Body>
void for_each_chunk(int64_t rows, int threads, const Body& body) {
  parallel_for(kBatchNormChunks, kBatchNormChunks / 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t chunk = begin; chunk < end; ++chunk) {
      const int64_t first = rows * chunk / kBatchNormChunks;
      body(chunk, first, rows * (chunk + 1) / kBatchNormChunks - first);
    }
  });
}

const float* from(std::span<const float> values, int64_t offset) {
  return values.empty() ? nullptr : values.data() + offset;
}

BatchNormMask from(BatchNormMask mask, int64_t offset) {
  if (!mask.y.empty()) mask.y = mask.y.subspan(static_cast<size_t>(offset));
  return mask;
}

}  // namespace

void batch_norm_statistics(std::span<const float> x, int64_t rows, int64_t channels, int threads,
                           std::span<float> scratch, std::span<float> mean, std::span<float> variance) {
  for_each_chunk(rows, threads, [&](int64_t chunk, int64_t first, int64_t count) {
    float* to = scratch.data() + chunk * 2 * channels;
    HWY_DYNAMIC_DISPATCH(chunk_statistics)(x.data() + first * channels, count, channels, to, to + channels);
  });
  for (int64_t c = 0; c < channels; ++c) {
    double joined_mean = 0;
    double squares = 0;
    double seen = 0;
    for (int64_t chunk = 0; chunk < kBatchNormChunks; ++chunk) {
      const int64_t chunk_rows = rows * (chunk + 1) / kBatchNormChunks - rows * chunk / kBatchNormChunks;
      const auto count = static_cast<double>(chunk_rows);
      if (count == 0) continue;
      const float* part = scratch.data() + chunk * 2 * channels + c;
      const double delta = static_cast<double>(part[0]) - joined_mean;
      squares += static_cast<double>(part[channels]) + delta * delta * seen * count / (seen + count);
      seen += count;
      joined_mean += delta * count / seen;
    }
    mean[static_cast<size_t>(c)] = static_cast<float>(joined_mean);
    variance[static_cast<size_t>(c)] = static_cast<float>(squares / static_cast<double>(rows));
  }
}

void batch_norm_apply(std::span<const float> x, std::span<const float> scale, std::span<const float> shift,
                      std::span<const float> residual, bool relu, int64_t rows, int64_t channels, int threads,
                      std::span<float> y) {
  for_each_chunk(rows, threads, [&](int64_t, int64_t first, int64_t count) {
    const int64_t offset = first * channels;
    HWY_DYNAMIC_DISPATCH(chunk_apply)
    (x.data() + offset, scale.data(), shift.data(), from(residual, offset), relu, count, channels, y.data() + offset);
  });
}

void batch_norm_reduce_gradient(std::span<const float> x, const BatchNormMask& mask, std::span<const float> dy,
                                std::span<const float> mean, int64_t rows, int64_t channels, int threads,
                                std::span<float> scratch, std::span<float> masked, std::span<float> sum_g,
                                std::span<float> sum_gx) {
  for_each_chunk(rows, threads, [&](int64_t chunk, int64_t first, int64_t count) {
    const int64_t offset = first * channels;
    float* to = scratch.data() + chunk * 2 * channels;
    HWY_DYNAMIC_DISPATCH(chunk_reduce)
    (x.data() + offset, from(mask, offset), dy.data() + offset, mean.data(), count, channels,
     masked.empty() ? nullptr : masked.data() + offset, to, to + channels);
  });
  for (int64_t c = 0; c < channels; ++c) {
    double g = 0;
    double gx = 0;
    for (int64_t chunk = 0; chunk < kBatchNormChunks; ++chunk) {
      g += static_cast<double>(scratch[static_cast<size_t>(chunk * 2 * channels + c)]);
      gx += static_cast<double>(scratch[static_cast<size_t>((chunk * 2 + 1) * channels + c)]);
    }
    sum_g[static_cast<size_t>(c)] = static_cast<float>(g);
    sum_gx[static_cast<size_t>(c)] = static_cast<float>(gx);
  }
}

void batch_norm_apply_gradient(std::span<const float> x, const BatchNormMask& mask, std::span<const float> dy,
                               std::span<const float> a, std::span<const float> b, std::span<const float> c,
                               int64_t rows, int64_t channels, int threads, std::span<float> dx) {
  for_each_chunk(rows, threads, [&](int64_t, int64_t first, int64_t count) {
    const int64_t offset = first * channels;
    HWY_DYNAMIC_DISPATCH(chunk_gradient)
    (x.data() + offset, from(mask, offset), dy.data() + offset, a.data(), b.data(), c.data(), count, channels,
     dx.data() + offset);
  });
}

}  // namespace orthant
#endif  // HWY_ONCE
