// The transforms of F(4x4, 3x3) and one block of images through them, per Highway target; see winograd.h.

#if defined(ORTHANT_LEARN_NN_WINOGRAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#undef ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#else
#define ORTHANT_LEARN_NN_WINOGRAD_INL_H_
#endif

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

// Calls body(tile, image offset in pixels, y, x) for the tiles of `images` images; (y, x) is the tile's corner.
template <class Body>
HWY_INLINE void for_each_tile(const WinogradTiles& tiles, int64_t images, const Body& body) {
  int64_t tile = 0;
  for (int64_t image = 0; image < images; ++image) {
    const int64_t pixels = image * tiles.shape.height * tiles.shape.width;
    for (int64_t row = 0; row < tiles.rows; ++row) {
      for (int64_t column = 0; column < tiles.columns; ++column) body(tile++, pixels, row * 4, column * 4);
    }
  }
}

// The kSize x kSize pixels from (y, x) on of one image, zero outside of it, `vector` lanes into the channels.
template <int64_t kSize>
HWY_INLINE void load_pixels(const float* HWY_RESTRICT image, const WinogradShape& s, int64_t channels, int64_t y,
                            int64_t x, V* HWY_RESTRICT out) {
  const PanelTag d;
  if (y >= 0 && x >= 0 && y + kSize <= s.height && x + kSize <= s.width) {
    const float* from = image + (y * s.width + x) * channels;
#pragma GCC unroll 6
    for (int64_t i = 0; i < kSize; ++i) {
#pragma GCC unroll 6
      for (int64_t j = 0; j < kSize; ++j) out[i * kSize + j] = hn::LoadU(d, from + (i * s.width + j) * channels);
    }
    return;
  }
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      const bool inside = y + i >= 0 && y + i < s.height && x + j >= 0 && x + j < s.width;
      out[i * kSize + j] = inside ? hn::LoadU(d, image + ((y + i) * s.width + x + j) * channels) : hn::Zero(d);
    }
  }
}

// Images [images, height, width, channels] to the 36 matrices [tiles, channels]: V = B^T d B of the 6x6 around each
// tile, or A y A^T of the tile's own 4x4.
template <bool kInput>
HWY_INLINE void to_points(const float* HWY_RESTRICT pixels, int64_t channels, const WinogradTiles& tiles,
                          int64_t images, float* HWY_RESTRICT matrices) {
  constexpr int64_t kSize = kInput ? 6 : 4;
  const PanelTag d;
  const int64_t stride = tiles.matrix_stride(images, channels);
  const int64_t count = images * tiles.per_image();
  for_each_tile(tiles, images, [&](int64_t tile, int64_t offset, int64_t y, int64_t x) HWY_ATTR {
    const int64_t corner = kInput ? 1 : 0;
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      V in[static_cast<size_t>(kSize * kSize)];
      V half[static_cast<size_t>(6 * kSize)];
      load_pixels<kSize>(pixels + offset * channels + c, tiles.shape, channels, y - corner, x - corner, in);
#pragma GCC unroll 6
      for (int64_t j = 0; j < kSize; ++j) {
        if constexpr (kInput) {
          apply_bt(in + j, kSize, half + j, kSize);
        } else {
          apply_a(in + j, kSize, half + j, kSize);
        }
      }
      float* to = matrices + c / kPanel * kPanel * count + tile * kPanel + c % kPanel;
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
  });
}

// The way back: the 36 matrices to images. Outputs are A^T m A of each tile, stored; gradients of inputs are B v B^T,
// added to what their neighbours left, so `pixels` must be zero before.
template <bool kInput>
HWY_INLINE void from_points(const float* HWY_RESTRICT matrices, int64_t channels, const WinogradTiles& tiles,
                            int64_t images, float* HWY_RESTRICT pixels) {
  constexpr int64_t kSize = kInput ? 6 : 4;
  const PanelTag d;
  const WinogradShape& s = tiles.shape;
  const int64_t stride = tiles.matrix_stride(images, channels);
  const int64_t count = images * tiles.per_image();
  for_each_tile(tiles, images, [&](int64_t tile, int64_t offset, int64_t y, int64_t x) HWY_ATTR {
    const int64_t top = kInput ? y - 1 : y;
    const int64_t left = kInput ? x - 1 : x;
    for (int64_t c = 0; c < channels; c += kPanelLanes) {
      const float* from = matrices + c / kPanel * kPanel * count + tile * kPanel + c % kPanel;
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
      const int64_t last = std::min(kSize, s.width - left);
      for (int64_t i = std::max<int64_t>(0, -top); i < std::min(kSize, s.height - top); ++i) {
        V out[static_cast<size_t>(kSize)];
        if constexpr (kInput) {
          apply_b(half + i * 6, 1, out, 1);
        } else {
          apply_at(half + i * 6, 1, out, 1);
        }
        float* to = pixels + (offset + (top + i) * s.width + left) * channels + c;
        for (int64_t j = std::max<int64_t>(0, -left); j < last; ++j) {
          if constexpr (kInput) out[j] = hn::Add(out[j], hn::LoadU(d, to + j * channels));
          hn::StoreU(out[j], d, to + j * channels);
        }
      }
    }
  });
}

void forward_block(const float* x, const float* panels, const WinogradTiles& tiles, int64_t images, float* v, float* m,
                   float* y) {
  const WinogradShape& s = tiles.shape;
  const int64_t count = images * tiles.per_image();
  to_points<true>(x, s.in, tiles, images, v);
  for (int64_t p = 0; p < kWinogradPoints; ++p) {
    panel_multiply(v + p * tiles.matrix_stride(images, s.in), panels + p * s.in * s.out, count, s.in, s.out,
                   m + p * tiles.matrix_stride(images, s.out));
  }
  from_points<false>(m, s.out, tiles, images, y);
}

void backward_block(const float* x, const float* dy, const float* panels, const WinogradTiles& tiles, int64_t images,
                    float* v, float* dm, float* dx, float* sums) {
  const WinogradShape& s = tiles.shape;
  const int64_t count = images * tiles.per_image();
  const int64_t in_stride = tiles.matrix_stride(images, s.in);
  const int64_t out_stride = tiles.matrix_stride(images, s.out);
  to_points<false>(dy, s.out, tiles, images, dm);
  if (sums != nullptr) {
    to_points<true>(x, s.in, tiles, images, v);
    for (int64_t p = 0; p < kWinogradPoints; ++p) {
      panel_multiply_transposed(v + p * in_stride, dm + p * out_stride, count, s.in, s.out, sums + p * s.in * s.out);
    }
  }
  if (dx != nullptr) {
    for (int64_t p = 0; p < kWinogradPoints; ++p) {
      panel_multiply(dm + p * out_stride, panels + p * s.in * s.out, count, s.out, s.in, v + p * in_stride);
    }
    std::fill_n(dx, images * s.height * s.width * s.in, 0.0F);
    from_points<true>(v, s.in, tiles, images, dx);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif  // ORTHANT_LEARN_NN_WINOGRAD_INL_H_
