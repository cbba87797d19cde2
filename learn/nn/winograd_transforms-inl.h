// The one-dimensional transforms of winograd.h, of V lanes of channels at once, per Highway target. B^T takes the
// pixels of a window to points, A^T takes points to the four outputs of a tile; the other two are their adjoints.

#if defined(ORTHANT_LEARN_NN_WINOGRAD_TRANSFORMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_LEARN_NN_WINOGRAD_TRANSFORMS_INL_H_
#undef ORTHANT_LEARN_NN_WINOGRAD_TRANSFORMS_INL_H_
#else
#define ORTHANT_LEARN_NN_WINOGRAD_TRANSFORMS_INL_H_
#endif

#include <hwy/highway.h>

#include "learn/nn/panel_gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using V = hn::Vec<PanelTag>;

// F(4, 3), by the points 0, 1, -1, 2, -2 and infinity.
struct Stride1 {
  static constexpr int64_t kStride = 1;
  static constexpr int64_t kWindow = 6;
  static constexpr int64_t kPoints = 6;
  static constexpr int64_t kOverlap = 2;  // pixels that the windows of neighbours share
  static constexpr int64_t weights_of(int64_t point) { return point; }

  // out = B^T in, of one line of six.
  static HWY_INLINE void to_input_points(const V* in, int64_t step, V* out, int64_t out_step) {
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
  static HWY_INLINE void from_input_points(const V* in, int64_t step, V* out, int64_t out_step) {
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
  static HWY_INLINE void from_output_points(const V* in, int64_t step, V* out, int64_t out_step) {
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
  static HWY_INLINE void to_output_points(const V* in, int64_t step, V* out, int64_t out_step) {
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
};

// A stride of two: F(4, 2) of the odd pixels with the outer weights, by the points 0, 1, -1, 2 and infinity, and the
// even pixels times the middle weight: 9 products instead of 12 for four outputs, by 6 sets of weights.
struct Stride2 {
  static constexpr int64_t kStride = 2;
  static constexpr int64_t kWindow = 9;
  static constexpr int64_t kPoints = 9;
  static constexpr int64_t kOverlap = 1;
  static constexpr int64_t weights_of(int64_t point) { return point < 5 ? point : 5; }

  // The odd pixels as five points, the even ones as they are.
  static HWY_INLINE void to_input_points(const V* in, int64_t step, V* out, int64_t out_step) {
    const PanelTag d;
    const V two = hn::Set(d, 2.0F);
    const V o0 = in[0], o1 = in[2 * step], o2 = in[4 * step], o3 = in[6 * step], o4 = in[8 * step];
    const V far = hn::Sub(o3, o1);
    const V near = hn::Sub(o3, o2);
    out[0] = hn::MulAdd(two, hn::Sub(o0, o2), far);
    out[out_step] = hn::NegMulAdd(two, o1, near);
    out[2 * out_step] = hn::MulAdd(two, hn::Sub(o1, o2), near);
    out[3 * out_step] = far;
    out[4 * out_step] = hn::NegMulAdd(two, far, hn::Sub(o4, o2));
    for (int64_t k = 0; k < 4; ++k) out[(5 + k) * out_step] = in[(1 + 2 * k) * step];
  }

  static HWY_INLINE void from_input_points(const V* in, int64_t step, V* out, int64_t out_step) {
    const PanelTag d;
    const V two = hn::Set(d, 2.0F);
    const V v0 = in[0], v1 = in[step], v2 = in[2 * step], v3 = in[3 * step], v4 = in[4 * step];
    out[0] = hn::Add(v0, v0);
    out[2 * out_step] = hn::MulAdd(two, hn::Add(hn::Sub(v2, v1), v4), hn::Neg(hn::Add(v0, v3)));
    out[4 * out_step] = hn::Neg(hn::MulAdd(two, hn::Add(v0, v2), hn::Add(hn::Add(v1, v2), v4)));
    out[6 * out_step] = hn::NegMulAdd(two, v4, hn::Add(hn::Add(v0, v1), hn::Add(v2, v3)));
    out[8 * out_step] = v4;
    for (int64_t k = 0; k < 4; ++k) out[(1 + 2 * k) * out_step] = in[(5 + k) * step];
  }

  static HWY_INLINE void from_output_points(const V* in, int64_t step, V* out, int64_t out_step) {
    const PanelTag d;
    const V near = hn::Add(in[step], in[2 * step]);
    const V near_odd = hn::Sub(in[step], in[2 * step]);
    const V far = in[3 * step];
    out[0] = hn::Add(hn::Add(in[0], in[5 * step]), hn::Add(near, far));
    out[out_step] = hn::MulAdd(hn::Set(d, 2.0F), far, hn::Add(near_odd, in[6 * step]));
    out[2 * out_step] = hn::MulAdd(hn::Set(d, 4.0F), far, hn::Add(near, in[7 * step]));
    out[3 * out_step] = hn::MulAdd(hn::Set(d, 8.0F), far, hn::Add(near_odd, hn::Add(in[4 * step], in[8 * step])));
  }

  static HWY_INLINE void to_output_points(const V* in, int64_t step, V* out, int64_t out_step) {
    const PanelTag d;
    const V y0 = in[0], y1 = in[step], y2 = in[2 * step], y3 = in[3 * step];
    const V even = hn::Add(y0, y2);
    const V odd = hn::Add(y1, y3);
    out[0] = y0;
    out[out_step] = hn::Add(even, odd);
    out[2 * out_step] = hn::Sub(even, odd);
    out[3 * out_step] =
        hn::MulAdd(hn::Set(d, 8.0F), y3, hn::MulAdd(hn::Set(d, 4.0F), y2, hn::MulAdd(hn::Set(d, 2.0F), y1, y0)));
    out[4 * out_step] = y3;
    for (int64_t k = 0; k < 4; ++k) out[(5 + k) * out_step] = in[k * step];
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif  // ORTHANT_LEARN_NN_WINOGRAD_TRANSFORMS_INL_H_
