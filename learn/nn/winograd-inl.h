// One block of tiles through the transforms and products, per Highway target; see winograd.h.

#if defined(ORTHANT_LEARN_NN_WINOGRAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#undef ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#else
#define ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "learn/nn/panel_gemm-inl.h"
#include "learn/nn/winograd_tiles.h"
#include "learn/nn/winograd_transforms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The kSize x kSize pixels from (y, x) on of an image, by the address of their first channel. Those outside of the
// image share one line, which stays where it is for every channel.
template <int64_t kSize, class Float>
struct Window {
  Float* first[static_cast<size_t>(kSize * kSize)];
  int64_t moves[static_cast<size_t>(kSize * kSize)];  // all bits of those inside, none of those outside

  HWY_INLINE Window(Float* image, int64_t height, int64_t width, int64_t channels, int64_t y, int64_t x,
                    Float* outside) {
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        const bool inside = y + i >= 0 && y + i < height && x + j >= 0 && x + j < width;
        first[i * kSize + j] = inside ? image + ((y + i) * width + x + j) * channels : outside;
        moves[i * kSize + j] = inside ? -1 : 0;
      }
    }
  }
  HWY_INLINE Float* at(int64_t pixel, int64_t channel) const { return first[pixel] + (channel & moves[pixel]); }
};

// The window of the input around a tile, or the tile's own 4x4 of the output.
template <class Scheme, bool kInput>
constexpr int64_t kWindowSize = kInput ? Scheme::kWindow : 4;

template <class Scheme, bool kInput, class Float>
HWY_INLINE Window<kWindowSize<Scheme, kInput>, Float> window_of(Float* pixels, int64_t channels, const WinogradShape& s,
                                                                const WinogradTile& tile, Float* outside) {
  if constexpr (kInput) {
    return {pixels + tile.image * s.height * s.width * channels,
            s.height,
            s.width,
            channels,
            tile.y * Scheme::kStride - 1,
            tile.x * Scheme::kStride - 1,
            outside};
  } else {
    return {pixels + tile.image * s.out_height() * s.out_width() * channels,
            s.out_height(),
            s.out_width(),
            channels,
            tile.y,
            tile.x,
            outside};
  }
}

// Images to the matrices [tiles, channels] of a block, one for each point: B^T d B of the window around each tile, or
// A y A^T of the tile's own 4x4.
template <class Scheme, bool kInput>
HWY_NOINLINE void to_points(const float* HWY_RESTRICT pixels, int64_t channels, const WinogradBlock& block,
                            float* HWY_RESTRICT matrices) {
  constexpr int64_t kSize = kWindowSize<Scheme, kInput>;
  constexpr int64_t kPoints = Scheme::kPoints;
  alignas(64) static constexpr float kZeros[kPanel] = {};
  const PanelTag d;
  const int64_t stride = WinogradTiles::matrix_stride(block.count, channels);
  for (int64_t t = 0; t < block.count; ++t) {
    const auto window = window_of<Scheme, kInput>(pixels, channels, block.tiles.shape, block.tile(t), +kZeros);
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      V half[static_cast<size_t>(kPoints * kSize)];
#pragma GCC unroll 9
      for (int64_t j = 0; j < kSize; ++j) {
        V in[static_cast<size_t>(kSize)];
#pragma GCC unroll 9
        for (int64_t i = 0; i < kSize; ++i) in[i] = hn::LoadU(d, window.at(i * kSize + j, c));
        if constexpr (kInput) {
          Scheme::to_input_points(in, 1, half + j, kSize);
        } else {
          Scheme::to_output_points(in, 1, half + j, kSize);
        }
      }
      float* to = matrices + c / kPanel * kPanel * block.count + t * kPanel + c % kPanel;
#pragma GCC unroll 9
      for (int64_t i = 0; i < kPoints; ++i) {
        V out[static_cast<size_t>(kPoints)];
        if constexpr (kInput) {
          Scheme::to_input_points(half + i * kSize, 1, out, 1);
        } else {
          Scheme::to_output_points(half + i * kSize, 1, out, 1);
        }
#pragma GCC unroll 9
        for (int64_t j = 0; j < kPoints; ++j) hn::Store(out[j], d, to + (kPoints * i + j) * stride);
      }
    }
  }
}

// The way back: the matrices of a block to images. Outputs are A^T m A of each tile; gradients of inputs are B v B^T,
// added to what the tiles above and to the left have left there: the tiles of an image must come in their order.
template <class Scheme, bool kInput>
HWY_NOINLINE void from_points(const float* HWY_RESTRICT matrices, int64_t channels, const WinogradBlock& block,
                              float* HWY_RESTRICT pixels) {
  constexpr int64_t kSize = kWindowSize<Scheme, kInput>;
  constexpr int64_t kPoints = Scheme::kPoints;
  alignas(64) static constexpr float kZeros[kPanel] = {};
  alignas(64) float nowhere[kPanel];
  const PanelTag d;
  const int64_t stride = WinogradTiles::matrix_stride(block.count, channels);
  for (int64_t t = 0; t < block.count; ++t) {
    const WinogradTile tile = block.tile(t);
    const auto window = window_of<Scheme, kInput>(pixels, channels, block.tiles.shape, tile, +nowhere);
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      const float* from = matrices + c / kPanel * kPanel * block.count + t * kPanel + c % kPanel;
      V half[static_cast<size_t>(kSize * kPoints)];
#pragma GCC unroll 9
      for (int64_t j = 0; j < kPoints; ++j) {
        V in[static_cast<size_t>(kPoints)];
#pragma GCC unroll 9
        for (int64_t i = 0; i < kPoints; ++i) in[i] = hn::Load(d, from + (kPoints * i + j) * stride);
        if constexpr (kInput) {
          Scheme::from_input_points(in, 1, half + j, kPoints);
        } else {
          Scheme::from_output_points(in, 1, half + j, kPoints);
        }
      }
#pragma GCC unroll 9
      for (int64_t i = 0; i < kSize; ++i) {
        V out[static_cast<size_t>(kSize)];
        if constexpr (kInput) {
          Scheme::from_input_points(half + i * kPoints, 1, out, 1);
        } else {
          Scheme::from_output_points(half + i * kPoints, 1, out, 1);
        }
#pragma GCC unroll 9
        for (int64_t j = 0; j < kSize; ++j) {
          float* to = window.at(i * kSize + j, c);
          if constexpr (kInput) {
            if (i < Scheme::kOverlap || j < Scheme::kOverlap) {
              const bool met = (i < Scheme::kOverlap && tile.y > 0) || (j < Scheme::kOverlap && tile.x > 0);
              out[j] = hn::Add(out[j], hn::LoadU(d, met ? to : kZeros));
            }
          }
          hn::StoreU(out[j], d, to);
        }
      }
    }
  }
}

// Asks for the p-th of `parts` parts of the pixels of a block's tiles (`image` floats in an image), so that they are in
// the cache when the transforms come to them: between the products, the memory works while the processor does.
HWY_INLINE void prefetch_part(const float* pixels, int64_t image, const WinogradBlock& block, int64_t p,
                              int64_t parts) {
  const int64_t per_tile = image / block.tiles.per_image();
  const int64_t all = block.count * per_tile;
  for (int64_t i = all * p / parts; i < all * (p + 1) / parts; i += kPanel) {
    hwy::Prefetch(pixels + block.first * per_tile + i);
  }
}

// Calls body(point, its weights).
template <class Scheme, class Body>
HWY_INLINE void for_each_point(const Body& body) {
  for (int64_t i = 0; i < Scheme::kPoints; ++i) {
    for (int64_t j = 0; j < Scheme::kPoints; ++j) {
      body(i * Scheme::kPoints + j, 6 * Scheme::weights_of(i) + Scheme::weights_of(j));
    }
  }
}

template <class Scheme>
HWY_INLINE void forward_tiles(const float* x, const float* panels, const WinogradBlock& block, float* v, float* m,
                              float* y) {
  const WinogradShape& s = block.tiles.shape;
  const int64_t points = s.points();
  const WinogradBlock next = block.next();
  to_points<Scheme, true>(x, s.in, block, v);
  for_each_point<Scheme>([&](int64_t p, int64_t weights) HWY_ATTR {
    prefetch_part(x, s.in_floats(), next, p, points);
    prefetch_part(y, s.out_floats(), block, p, points);
    panel_multiply(v + p * WinogradTiles::matrix_stride(block.count, s.in), panels + weights * s.in * s.out,
                   block.count, s.in, s.out, m + p * WinogradTiles::matrix_stride(block.count, s.out));
  });
  from_points<Scheme, false>(m, s.out, block, y);
}

template <class Scheme>
HWY_INLINE void backward_tiles(const float* x, const float* dy, const float* panels, const WinogradBlock& block,
                               float* v, float* dm, float* dx, float* sums) {
  const WinogradShape& s = block.tiles.shape;
  const int64_t points = s.points();
  const int64_t in_stride = WinogradTiles::matrix_stride(block.count, s.in);
  const int64_t out_stride = WinogradTiles::matrix_stride(block.count, s.out);
  const WinogradBlock next = block.next();
  to_points<Scheme, false>(dy, s.out, block, dm);
  if (sums != nullptr) {
    to_points<Scheme, true>(x, s.in, block, v);
    for_each_point<Scheme>([&](int64_t p, int64_t weights) HWY_ATTR {
      if (dx != nullptr) prefetch_part(dx, s.in_floats(), block, p, points);
      panel_multiply_transposed(v + p * in_stride, dm + p * out_stride, block.count, s.in, s.out,
                                sums + weights * s.in * s.out);
    });
  }
  if (dx != nullptr) {
    for_each_point<Scheme>([&](int64_t p, int64_t weights) HWY_ATTR {
      prefetch_part(dy, s.out_floats(), next, p, points);
      prefetch_part(x, s.in_floats(), next, p, points);
      panel_multiply(dm + p * out_stride, panels + weights * s.in * s.out, block.count, s.out, s.in, v + p * in_stride);
    });
    from_points<Scheme, true>(v, s.in, block, dx);
  }
}

void forward_block(const float* x, const float* panels, const WinogradBlock& block, float* v, float* m, float* y) {
  block.tiles.shape.stride == 1 ? forward_tiles<Stride1>(x, panels, block, v, m, y)
                                : forward_tiles<Stride2>(x, panels, block, v, m, y);
}

void backward_block(const float* x, const float* dy, const float* panels, const WinogradBlock& block, float* v,
                    float* dm, float* dx, float* sums) {
  block.tiles.shape.stride == 1 ? backward_tiles<Stride1>(x, dy, panels, block, v, dm, dx, sums)
                                : backward_tiles<Stride2>(x, dy, panels, block, v, dm, dx, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif  // ORTHANT_LEARN_NN_WINOGRAD_INL_H_
