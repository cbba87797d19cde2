// Included once per SIMD target, by sources that use foreach_target.h; not part of the interface.
#if defined(ORTHANT_CORE_EXP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_CORE_EXP_INL_H
#undef ORTHANT_CORE_EXP_INL_H
#else
#define ORTHANT_CORE_EXP_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {

// e^x for x <= 88, relative error about 1e-7; exactly 0 below -87, so that no denormal number ever slows a sum.
// x = n ln 2 + r with |r| <= ln 2 / 2; e^r = 1 + r + r^2 q(r), q the polynomial of degree 4 of least largest error
// (4e-9); 2^n goes into the exponent's bits.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V fast_exp(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  const V clamped = hn::Max(x, hn::Set(d, -87.0f));
  const auto n = hn::NearestInt(hn::Mul(clamped, hn::Set(d, 1.44269504f)));
  const V whole = hn::ConvertTo(d, n);
  V r = hn::NegMulAdd(whole, hn::Set(d, 0.693359375f), clamped);
  r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4f), r);
  V q = hn::Set(d, 0.0013814598f);
  q = hn::MulAdd(q, r, hn::Set(d, 0.008368717f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.04166839f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.16666521f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.49999994f));
  const V fraction = hn::MulAdd(hn::Mul(r, r), q, hn::Add(r, hn::Set(d, 1.0f)));
  const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, fraction), hn::ShiftLeft<23>(n)));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -87.0f)), scaled);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif
