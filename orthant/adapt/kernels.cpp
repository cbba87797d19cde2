#include "orthant/adapt/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/adapt/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "orthant/core/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::adapt {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
constexpr Tag d;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Tag()));

float dot(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, int64_t count) {
  Vec even = hn::Zero(d);
  Vec odd = hn::Zero(d);
  int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    even = hn::MulAdd(hn::Load(d, a + i), hn::Load(d, b + i), even);
    odd = hn::MulAdd(hn::Load(d, a + i + kLanes), hn::Load(d, b + i + kLanes), odd);
  }
  for (; i < count; i += kLanes) even = hn::MulAdd(hn::Load(d, a + i), hn::Load(d, b + i), even);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

void add_row(float* HWY_RESTRICT sum, const float* HWY_RESTRICT row, float factor, int64_t count) {
  const Vec by = hn::Set(d, factor);
  for (int64_t i = 0; i < count; i += kLanes) {
    hn::Store(hn::MulAdd(by, hn::Load(d, row + i), hn::Load(d, sum + i)), d, sum + i);
  }
}

void add_four_rows(float* HWY_RESTRICT sum, const float* const* HWY_RESTRICT rows, const float* HWY_RESTRICT factors,
                   int64_t count) {
  const Vec f0 = hn::Set(d, factors[0]);
  const Vec f1 = hn::Set(d, factors[1]);
  const Vec f2 = hn::Set(d, factors[2]);
  const Vec f3 = hn::Set(d, factors[3]);
  const float* const r0 = rows[0];
  const float* const r1 = rows[1];
  const float* const r2 = rows[2];
  const float* const r3 = rows[3];
  for (int64_t i = 0; i < count; i += kLanes) {
    Vec s = hn::MulAdd(f0, hn::Load(d, r0 + i), hn::Load(d, sum + i));
    s = hn::MulAdd(f1, hn::Load(d, r1 + i), s);
    s = hn::MulAdd(f2, hn::Load(d, r2 + i), s);
    s = hn::MulAdd(f3, hn::Load(d, r3 + i), s);
    hn::Store(s, d, sum + i);
  }
}

int64_t find_above(const float* HWY_RESTRICT values, const float* HWY_RESTRICT bias, int64_t count, float threshold,
                   int32_t* HWY_RESTRICT found, float* HWY_RESTRICT sums) {
  const hn::RebindToSigned<Tag> di;
  const Vec limit = hn::Set(d, threshold);
  int64_t hits = 0;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vec sum = hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, bias + i));
    const auto above = hn::Gt(sum, limit);
    if (hn::AllFalse(d, above)) continue;
    hn::CompressStore(hn::Iota(di, static_cast<int32_t>(i)), hn::RebindMask(di, above), di, found + hits);
    hits += static_cast<int64_t>(hn::CompressStore(sum, above, d, sums + hits));
  }
  for (; i < count; ++i) {
    const float sum = values[i] + bias[i];
    if (!(sum > threshold)) continue;
    found[hits] = static_cast<int32_t>(i);
    sums[hits++] = sum;
  }
  return hits;
}

void adam(float* HWY_RESTRICT weights, const float* HWY_RESTRICT gradient, float* HWY_RESTRICT first,
          float* HWY_RESTRICT second, int64_t count, const AdamStep& step) {
  const Vec keep1 = hn::Set(d, step.beta1);
  const Vec take1 = hn::Set(d, 1 - step.beta1);
  const Vec keep2 = hn::Set(d, step.beta2);
  const Vec take2 = hn::Set(d, 1 - step.beta2);
  const Vec rate = hn::Set(d, step.rate);
  const Vec root = hn::Set(d, step.root);
  const Vec epsilon = hn::Set(d, step.epsilon);
  for (int64_t i = 0; i < count; i += kLanes) {
    const Vec g = hn::Load(d, gradient + i);
    const Vec m = hn::MulAdd(keep1, hn::Load(d, first + i), hn::Mul(take1, g));
    const Vec v = hn::MulAdd(keep2, hn::Load(d, second + i), hn::Mul(take2, hn::Mul(g, g)));
    hn::Store(m, d, first + i);
    hn::Store(v, d, second + i);
    const Vec below = hn::MulAdd(hn::Sqrt(v), root, epsilon);
    hn::Store(hn::Sub(hn::Load(d, weights + i), hn::Div(hn::Mul(rate, m), below)), d, weights + i);
  }
}

double exponentials(float* HWY_RESTRICT values, int64_t count, float sharpness) {
  const Vec one = hn::Set(d, 1.0F);
  const Vec by = hn::Set(d, sharpness);
  double total = 0;
  constexpr int64_t kRun = 256;  // terms of a sum in single precision
  for (int64_t begin = 0; begin < count; begin += kRun) {
    const int64_t end = begin + kRun < count ? begin + kRun : count;
    Vec sum = hn::Zero(d);
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      const Vec e = orthant::HWY_NAMESPACE::fast_exp(d, hn::Mul(hn::Sub(hn::Load(d, values + i), one), by));
      hn::Store(e, d, values + i);
      sum = hn::Add(sum, e);
    }
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
    if (i == end) continue;
    hn::Store(orthant::HWY_NAMESPACE::fast_exp(d, hn::Mul(hn::Sub(hn::Load(d, values + i), one), by)), d, values + i);
    for (; i < end; ++i) total += static_cast<double>(values[i]);
  }
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::adapt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::adapt {

HWY_EXPORT(dot);
HWY_EXPORT(add_row);
HWY_EXPORT(add_four_rows);
HWY_EXPORT(find_above);
HWY_EXPORT(adam);
HWY_EXPORT(exponentials);

float dot(const float* a, const float* b, int64_t count) { return HWY_DYNAMIC_DISPATCH(dot)(a, b, count); }

void add_row(float* sum, const float* row, float factor, int64_t count) {
  HWY_DYNAMIC_DISPATCH(add_row)(sum, row, factor, count);
}

void add_four_rows(float* sum, const float* const* rows, const float* factors, int64_t count) {
  HWY_DYNAMIC_DISPATCH(add_four_rows)(sum, rows, factors, count);
}

int64_t find_above(const float* values, const float* bias, int64_t count, float threshold, int32_t* found,
                   float* sums) {
  return HWY_DYNAMIC_DISPATCH(find_above)(values, bias, count, threshold, found, sums);
}

void adam(float* weights, const float* gradient, float* first, float* second, int64_t count, const AdamStep& step) {
  HWY_DYNAMIC_DISPATCH(adam)(weights, gradient, first, second, count, step);
}

double exponentials(float* values, int64_t count, float sharpness) {
  return HWY_DYNAMIC_DISPATCH(exponentials)(values, count, sharpness);
}

}  // namespace orthant::adapt
#endif
