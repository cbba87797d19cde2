// Included once per SIMD target, by sources that use foreach_target.h; not part of the interface.

#if defined(ORTHANT_VIEWS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_VIEWS_VECTORS_INL_H_
#undef ORTHANT_VIEWS_VECTORS_INL_H_
#else
#define ORTHANT_VIEWS_VECTORS_INL_H_
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant::views::HWY_NAMESPACE {

// Calls body(tag, i) for every full vector of [0, count) and then for every single element that is left, with a tag of
// one lane: no element beyond `count` is touched.
template <class Body>
HWY_INLINE void for_vectors(int64_t count, const Body& body) {
  const hwy::HWY_NAMESPACE::ScalableTag<float> wide;
  const hwy::HWY_NAMESPACE::CappedTag<float, 1> single;
  const auto lanes = static_cast<int64_t>(hwy::HWY_NAMESPACE::Lanes(wide));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(wide, i);
  for (; i < count; ++i) body(single, i);
}

// A sum of weighted levels that was begun with 1/2, as a level: rounded half up, as Pillow does.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V to_level(D d, V sum) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Floor(hn::Min(hn::Max(sum, hn::Zero(d)), hn::Set(d, 255.0f)));
}

}  // namespace orthant::views::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
