#include "orthant/measure/sepin_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/measure/sepin_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "orthant/core/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::measure {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
constexpr D d;
constexpr hn::RepartitionToWide<D> wide;
constexpr hn::Rebind<float, decltype(wide)> narrow;
using orthant::HWY_NAMESPACE::fast_exp;

// after - before in double, which is added to `change` as well.
HWY_INLINE hn::Vec<decltype(wide)> difference(const float* after, const float* before, double* change) {
  const auto result =
      hn::Sub(hn::PromoteTo(wide, hn::LoadU(narrow, after)), hn::PromoteTo(wide, hn::LoadU(narrow, before)));
  hn::Store(hn::Add(hn::Load(wide, change), result), wide, change);
  return result;
}

// Differences are taken and summed in double: where e^s falls by orders of magnitude, what is left of a row's sum is
// still right to the precision of a single exponential.
HWY_INLINE double take_row(const SepinRow& row, float limit, SepinBlock& other) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto wide_lanes = static_cast<int64_t>(hn::Lanes(wide));
  const auto scale = hn::Set(d, row.scale);
  const auto scaled_value = hn::Set(d, row.scale * row.value);
  const auto highest = hn::Set(d, limit);
  HWY_ALIGN float after[16];
  auto low = hn::Zero(wide);
  auto high = hn::Zero(wide);
  for (int64_t j = 0; j < kSepinBlock; j += lanes) {
    const auto products = hn::Mul(hn::LoadU(d, row.products + j), scale);
    const auto left = hn::NegMulAdd(scaled_value, hn::Load(d, other.value + j), products);
    const auto s = hn::Min(hn::Mul(left, hn::Load(d, other.inverse + j)), highest);
    const auto open = hn::Gt(hn::Load(d, other.open + j), hn::Zero(d));
    hn::Store(hn::IfThenElse(open, fast_exp(d, s), hn::LoadU(d, row.before + j)), d, after);
    low = hn::Add(low, difference(after, row.before + j, other.change + j));
    if (lanes > wide_lanes) {
      const int64_t k = j + wide_lanes;
      high = hn::Add(high, difference(after + wide_lanes, row.before + k, other.change + k));
    }
  }
  return hn::GetLane(hn::SumOfLanes(wide, hn::Add(low, high)));
}

void take_rows(std::span<const SepinRow> rows, float limit, SepinBlock& own, SepinBlock& other) {
  for (const SepinRow& row : rows) {
    own.open[row.index] = 0;
    const float partner_open = row.partner >= 0 ? other.open[row.partner] : 0;
    if (row.partner >= 0) other.open[row.partner] = 0;
    own.change[row.index] += take_row(row, limit, other);
    if (row.partner >= 0) other.open[row.partner] = partner_open;
  }
}

void scaled_exponentials(std::span<const float> x, float scale, float limit, std::span<float> out) {
  for (size_t i = 0; i < x.size(); i += hn::Lanes(d)) {
    const auto s = hn::Min(hn::Mul(hn::LoadU(d, x.data() + i), hn::Set(d, scale)), hn::Set(d, limit));
    hn::StoreU(fast_exp(d, s), d, out.data() + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::measure
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::measure {

HWY_EXPORT(take_rows);
HWY_EXPORT(scaled_exponentials);

void take_rows(std::span<const SepinRow> rows, float limit, SepinBlock& own, SepinBlock& other) {
  HWY_DYNAMIC_DISPATCH(take_rows)(rows, limit, own, other);
}

void scaled_exponentials(std::span<const float> x, float scale, float limit, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(scaled_exponentials)(x, scale, limit, out);
}

}  // namespace orthant::measure
#endif
