// The transforms of F(4x4, 3x3) and one block of images through them, per Highway target; see winograd.h.

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

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using V = hn::Vec<PanelTag>;

// out = B^T in, of one line of six.
HWY_INLINE void apply_bt(const V* in, int64_t step, V* out, int64_t out_step) {
  const PanelTag d;
  const V two = hn::Set(d, 2.0F);
  const V four = hn::Set(d, 4.0F);
  const V five = hn::Set(d, 5.0F);
  const V d0 = in[0], d1 = in[step], d2 = in[2 * step], d3 = in[3 * step], d4 = in[4 * step], d5 = in[5 * step];
  const V even4 = hn::NegMulAdd(four, d2, d4);
  const V odd4 = hn::NegMulAdd(four, d1, d3);
  const V even1 = hn::Sub(d4, d2);
  const V odd1 = hn::Mul(two, hn::Sub(d3, d1));
  out[0] = hn::MulAdd(four, d0, hn::NegMulAdd(five, d2, d4));
  out[out_step] = hn::Add(even4, odd4);
  out[2 * out_step] = hn::Sub(even4, odd4);
  out[3 * out_step] = hn::Add(even1, odd1);
  out[4 * out_step] = hn::Sub(even1, odd1);
  out[5 * out_step] = hn::MulAdd(four, d1, hn::NegMulAdd(five, d3, d5));
}

// out = B in: the adjoint of the above.
HWY_INLINE void apply_b(const V* in, int64_t step, V* out, int64_t out_step) {
  const PanelTag d;
  const V two = hn::Set(d, 2.0F);
  const V four = hn::Set(d, 4.0F);
  const V five = hn::Set(d, 5.0F);
  const V v0 = in[0], v1 = in[step], v2 = in[2 * step], v3 = in[3 * step], v4 = in[4 * step], v5 = in[5 * step];
  const V near = hn::Add(v1, v2);
  const V far = hn::Add(v3, v4);
  const V near_odd = hn::Sub(v1, v2);
  const V far_odd = hn::Mul(two, hn::Sub(v3, v4));
  out[0] = hn::Mul(four, v0);
  out[out_step] = hn::Sub(hn::Mul(four, hn::Sub(v5, near_odd)), far_odd);
  out[2 * out_step] = hn::Neg(hn::MulAdd(five, v0, hn::MulAdd(four, near, far)));
  out[3 * out_step] = hn::NegMulAdd(five, v5, hn::Add(near_odd, far_odd));
  out[4 * out_step] = hn::Add(v0, hn::Add(near, far));
  out[5 * out_step] = v5;
}

// out = A^T in: six to four.
HWY_INLINE void apply_at(const V* in, int64_t step, V* out, int64_t out_step) {
  const PanelTag d;
  const V near = hn::Add(in[step], in[2 * step]);
  const V near_odd = hn::Sub(in[step], in[2 * step]);
  const V far = hn::Add(in[3 * step], in[4 * step]);
  const V far_odd = hn::Sub(in[3 * step], in[4 * step]);
  out[0] = hn::Add(in[0], hn::Add(near, far));
  out[out_step] = hn::MulAdd(hn::Set(d, 2.0F), far_odd, near_odd);
  out[2 * out_step] = hn::MulAdd(hn::Set(d, 4.0F), far, near);
  out[3 * out_step] = hn::Add(in[5 * step], hn::MulAdd(hn::Set(d, 8.0F), far_odd, near_odd));
}

// out = A in: four to six.
HWY_INLINE void apply_a(const V* in, int64_t step, V* out, int64_t out_step) {
  const PanelTag d;
  const V y0 = in[0], y1 = in[step], y2 = in[2 * step], y3 = in[3 * step];
  const V even1 = hn::Add(y0, y2);
  const V odd1 = hn::Add(y1, y3);
  const V even2 = hn::MulAdd(hn::Set(d, 4.0F), y2, y0);
  const V odd2 = hn::MulAdd(hn::Set(d, 8.0F), y3, hn::Add(y1, y1));
  out[0] = y0;
  out[out_step] = hn::Add(even1, odd1);
  out[2 * out_step] = hn::Sub(even1, odd1);
  out[3 * out_step] = hn::Add(even2, odd2);
  out[4 * out_step] = hn::Sub(even2, odd2);
  out[5 * out_step] = y3;
}

// The kSize x kSize pixels from (y, x) on of an image, by the address of their first channel. Those outside of the
// image share one line, which stays where it is for every channel.
template <int64_t kSize, class Float>
struct Window {
  Float* first[static_cast<size_t>(kSize * kSize)];
  int64_t moves[static_cast<size_t>(kSize * kSize)];  // all bits of those inside, none of those outside

  HWY_INLINE Window(Float* image, const WinogradShape& s, int64_t channels, int64_t y, int64_t x, Float* outside) {
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        const bool inside = y + i >= 0 && y + i < s.height && x + j >= 0 && x + j < s.width;
        first[i * kSize + j] = inside ? image + ((y + i) * s.width + x + j) * channels : outside;
        moves[i * kSize + j] = inside ? -1 : 0;
      }
    }
  }
  HWY_INLINE Float* at(int64_t pixel, int64_t channel) const { return first[pixel] + (channel & moves[pixel]); }
};

// Images [.., height, width, channels] to the 36 matrices [tiles, channels] of a block: V = B^T d B of the 6x6 around
// each tile, or A y A^T of the tile's own 4x4.
template <bool kInput>
HWY_NOINLINE void to_points(const float* HWY_RESTRICT pixels, int64_t channels, const WinogradBlock& block,
                            float* HWY_RESTRICT matrices) {
  constexpr int64_t kSize = kInput ? 6 : 4;
  alignas(64) static constexpr float kZeros[kPanel] = {};
  const PanelTag d;
  const int64_t stride = WinogradTiles::matrix_stride(block.count, channels);
  for (int64_t t = 0; t < block.count; ++t) {
    const WinogradTile tile = block.tile(t);
    const int64_t corner = kInput ? 1 : 0;
    const Window<kSize, const float> window(pixels + tile.image * block.tiles.pixels() * channels, block.tiles.shape,
                                            channels, tile.y - corner, tile.x - corner, kZeros);
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      V half[static_cast<size_t>(6 * kSize)];
#pragma GCC unroll 6
      for (int64_t j = 0; j < kSize; ++j) {
        V in[static_cast<size_t>(kSize)];
#pragma GCC unroll 6
        for (int64_t i = 0; i < kSize; ++i) in[i] = hn::LoadU(d, window.at(i * kSize + j, c));
        if constexpr (kInput) {
          apply_bt(in, 1, half + j, kSize);
        } else {
          apply_a(in, 1, half + j, kSize);
        }
      }
      float* to = matrices + c / kPanel * kPanel * block.count + t * kPanel + c % kPanel;
#pragma GCC unroll 6
      for (int64_t i = 0; i < 6; ++i) {
        V out[6];
        if constexpr (kInput) {
          apply_bt(half + i * kSize, 1, out, 1);
        } else {
          apply_a(half + i * kSize, 1, out, 1);
        }
#pragma GCC unroll 6
        for (int64_t j = 0; j < 6; ++j) hn::Store(out[j], d, to + (6 * i + j) * stride);
      }
    }
  }
}

// The way back: the 36 matrices of a block to images. Outputs are A^T m A of each tile; gradients of inputs are B v
// B^T, added to what the tiles above and to the left have left there: the tiles of an image must come in their order.
template <bool kInput>
HWY_NOINLINE void from_points(const float* HWY_RESTRICT matrices, int64_t channels, const WinogradBlock& block,
                              float* HWY_RESTRICT pixels) {
  constexpr int64_t kSize = kInput ? 6 : 4;
  alignas(64) static constexpr float kZeros[kPanel] = {};
  alignas(64) float nowhere[kPanel];
  const PanelTag d;
  const int64_t stride = WinogradTiles::matrix_stride(block.count, channels);
  for (int64_t t = 0; t < block.count; ++t) {
    const WinogradTile tile = block.tile(t);
    const int64_t corner = kInput ? 1 : 0;
    const Window<kSize, float> window(pixels + tile.image * block.tiles.pixels() * channels, block.tiles.shape,
                                      channels, tile.y - corner, tile.x - corner, nowhere);
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      const float* from = matrices + c / kPanel * kPanel * block.count + t * kPanel + c % kPanel;
      V half[static_cast<size_t>(kSize * 6)];
#pragma GCC unroll 6
      for (int64_t j = 0; j < 6; ++j) {
        V in[6];
#pragma GCC unroll 6
        for (int64_t i = 0; i < 6; ++i) in[i] = hn::Load(d, from + (6 * i + j) * stride);
        if constexpr (kInput) {
          apply_b(in, 1, half + j, 6);
        } else {
          apply_at(in, 1, half + j, 6);
        }
      }
#pragma GCC unroll 6
      for (int64_t i = 0; i < kSize; ++i) {
        V out[static_cast<size_t>(kSize)];
        if constexpr (kInput) {
          apply_b(half + i * 6, 1, out, 1);
        } else {
          apply_at(half + i * 6, 1, out, 1);
        }
#pragma GCC unroll 6
        for (int64_t j = 0; j < kSize; ++j) {
          float* to = window.at(i * kSize + j, c);
          if constexpr (kInput) {
            if (i < 2 || j < 2) {
              const bool met = (i < 2 && tile.y > 0) || (j < 2 && tile.x > 0);
              out[j] = hn::Add(out[j], hn::LoadU(d, met ? to : kZeros));
            }
          }
          hn::StoreU(out[j], d, to);
        }
      }
    }
  }
}

// Asks for a part of the pixels of `count` tiles, so that they are in the cache when the transforms come to them. The
// p-th of 36 calls asks for the p-th part: between the products, the memory works while the processor does.
HWY_INLINE void prefetch_part(const float* pixels, int64_t channels, const WinogradTiles& tiles, int64_t first,
                              int64_t count, int64_t p) {
  const int64_t all = tiles.shape.batch * tiles.per_image();
  const int64_t per_tile = tiles.pixels() * channels / tiles.per_image();
  const int64_t end = std::min(count, all - first) * per_tile;
  for (int64_t i = end * p / kWinogradPoints; i < end * (p + 1) / kWinogradPoints; i += kPanel) {
    hwy::Prefetch(pixels + first * per_tile + i);
  }
}

void forward_block(const float* x, const float* panels, const WinogradBlock& block, float* v, float* m, float* y) {
  const WinogradShape& s = block.tiles.shape;
  to_points<true>(x, s.in, block, v);
  for (int64_t p = 0; p < kWinogradPoints; ++p) {
    prefetch_part(x, s.in, block.tiles, block.first + block.count, block.count, p);
    prefetch_part(y, s.out, block.tiles, block.first, block.count, p);
    panel_multiply(v + p * WinogradTiles::matrix_stride(block.count, s.in), panels + p * s.in * s.out, block.count,
                   s.in, s.out, m + p * WinogradTiles::matrix_stride(block.count, s.out));
  }
  from_points<false>(m, s.out, block, y);
}

void backward_block(const float* x, const float* dy, const float* panels, const WinogradBlock& block, float* v,
                    float* dm, float* dx, float* sums) {
  const WinogradShape& s = block.tiles.shape;
  const int64_t in_stride = WinogradTiles::matrix_stride(block.count, s.in);
  const int64_t out_stride = WinogradTiles::matrix_stride(block.count, s.out);
  const int64_t next = block.first + block.count;
  to_points<false>(dy, s.out, block, dm);
  if (sums != nullptr) {
    to_points<true>(x, s.in, block, v);
    for (int64_t p = 0; p < kWinogradPoints; ++p) {
      if (dx != nullptr) prefetch_part(dx, s.in, block.tiles, block.first, block.count, p);
      panel_multiply_transposed(v + p * in_stride, dm + p * out_stride, block.count, s.in, s.out,
                                sums + p * s.in * s.out);
    }
  }
  if (dx != nullptr) {
    for (int64_t p = 0; p < kWinogradPoints; ++p) {
      prefetch_part(dy, s.out, block.tiles, next, block.count, p);
      prefetch_part(x, s.in, block.tiles, next, block.count, p);
      panel_multiply(dm + p * out_stride, panels + p * s.in * s.out, block.count, s.out, s.in, v + p * in_stride);
    }
    from_points<true>(v, s.in, block, dx);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif  // ORTHANT_LEARN_NN_WINOGRAD_INL_H_
