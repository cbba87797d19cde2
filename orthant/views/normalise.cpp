#include "orthant/views/normalise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/views/normalise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "orthant/views/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::views::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void normalise(const float* from, int64_t pixels, float scale, float shift, float* to) {
  for_vectors(pixels, [=](auto d, int64_t i) HWY_ATTR {
    hn::StoreU(hn::Add(hn::Mul(hn::LoadU(d, from + i), hn::Set(d, scale)), hn::Set(d, shift)), d, to + i);
  });
}

}  // namespace orthant::views::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::views {

HWY_EXPORT(normalise);

Normalisation normalisation(const std::array<double, 3>& mean, const std::array<double, 3>& std) {
  Normalisation how;
  for (size_t c = 0; c < 3; ++c) {
    how.scale[c] = static_cast<float>(1.0 / (255.0 * std[c]));
    how.shift[c] = static_cast<float>(-mean[c] / std[c]);
  }
  return how;
}

void normalise(Planes from, const Normalisation& how, Planes out) {
  // Last to first: a single plane that is also the first of the output is read before it is overwritten.
  for (auto c = static_cast<size_t>(out.channels); c-- > 0;) {
    HWY_DYNAMIC_DISPATCH(normalise)
    (from.plane[from.channels == 1 ? 0 : c], from.pixels, how.scale[c], how.shift[c], out.plane[c]);
  }
}

}  // namespace orthant::views
#endif
