#include "orthant/index/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/index/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant::index {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
constexpr Tag d;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Tag()));

HWY_INLINE hn::Vec<Tag> load_levels(const Posting* from) {
  const hn::Rebind<uint32_t, Tag> wide;
  const hn::Rebind<int32_t, Tag> whole;
  const auto both = hn::LoadU(wide, reinterpret_cast<const uint32_t*>(from));
  return hn::ConvertTo(d, hn::BitCast(whole, hn::ShiftRight<16>(both)));
}
HWY_INLINE hn::Vec<Tag> load_levels(const uint8_t* from) {
  const hn::Rebind<int32_t, Tag> wide;
  const hn::Rebind<uint8_t, Tag> narrow;
  return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, from)));
}

void add_list(List list, const Posting* end, float weight, float* HWY_RESTRICT scores) {
  constexpr int64_t kChunk = 16;
  alignas(64) float products[kChunk];
  const auto factor = hn::Set(d, weight);
  const Posting* HWY_RESTRICT at = list.data();
  const Posting* const last = at + list.size();
  for (; last - at >= kChunk; at += kChunk) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kChunk; v += kLanes) hn::Store(hn::Mul(factor, load_levels(at + v)), d, products + v);
#pragma GCC unroll 16
    for (int64_t i = 0; i < kChunk; ++i) scores[at[i].place] += products[i];
  }
  if (end - at < kChunk) {
    for (; at < last; ++at) scores[at->place] += weight * static_cast<float>(at->level);
    return;
  }
#pragma GCC unroll 4
  for (int64_t v = 0; v < kChunk; v += kLanes) hn::Store(hn::Mul(factor, load_levels(at + v)), d, products + v);
  for (int64_t i = 0; i < last - at; ++i) scores[at[i].place] += products[i];
}

template <class Level>
HWY_INLINE int64_t add_all(const Level* HWY_RESTRICT levels, int64_t count, float weight, float* HWY_RESTRICT scores) {
  const auto factor = hn::Set(d, weight);
  int64_t n = 0;
  for (; n + 2 * kLanes <= count; n += 2 * kLanes) {
    hn::StoreU(hn::MulAdd(factor, load_levels(levels + n), hn::LoadU(d, scores + n)), d, scores + n);
    hn::StoreU(hn::MulAdd(factor, load_levels(levels + n + kLanes), hn::LoadU(d, scores + n + kLanes)), d,
               scores + n + kLanes);
  }
  return n;
}

void add_dense(List list, float weight, float* scores) {
  const int64_t count = static_cast<int64_t>(list.size());
  for (int64_t n = add_all(list.data(), count, weight, scores); n < count; ++n) {
    scores[n] += weight * static_cast<float>(list.data()[n].level);
  }
}
void add_bytes(const uint8_t* levels, int64_t count, float weight, float* scores) {
  for (int64_t n = add_all(levels, count, weight, scores); n < count; ++n) {
    scores[n] += weight * static_cast<float>(levels[n]);
  }
}

void estimate(std::span<const uint8_t* const> levels, std::span<const uint16_t> weights, int64_t count,
              uint16_t* HWY_RESTRICT sums, uint16_t* HWY_RESTRICT most) {
  const hn::CappedTag<uint16_t, 32> shorts;
  const hn::Rebind<uint8_t, decltype(shorts)> bytes;
  const auto lanes = static_cast<int64_t>(hn::Lanes(shorts));
  const auto high = [&](const uint8_t* from)
                        HWY_ATTR { return hn::ShiftLeft<8>(hn::PromoteTo(shorts, hn::LoadU(bytes, from))); };
  int64_t begin = 0;
  for (; begin + kChunkBlocks <= count; begin += kChunkBlocks) {
    for (int64_t b = begin; b < begin + kChunkBlocks; b += 2 * lanes) {
      auto first = hn::Zero(shorts);
      auto second = hn::Zero(shorts);
      for (size_t n = 0; n < levels.size(); ++n) {
        const auto weight = hn::Set(shorts, weights[n]);
        first = hn::Add(first, hn::MulHigh(high(levels[n] + b), weight));
        second = hn::Add(second, hn::MulHigh(high(levels[n] + b + lanes), weight));
      }
      hn::StoreU(first, shorts, sums + b);
      hn::StoreU(second, shorts, sums + b + lanes);
    }
    auto largest = hn::LoadU(shorts, sums + begin);
    for (int64_t b = begin + lanes; b < begin + kChunkBlocks; b += lanes) {
      largest = hn::Max(largest, hn::LoadU(shorts, sums + b));
    }
    HWY_ALIGN uint16_t all[32];
    hn::Store(largest, shorts, all);
    uint16_t one = 0;
    for (int64_t n = 0; n < lanes; ++n) one = HWY_MAX(one, all[n]);
    most[begin / kChunkBlocks] = one;
  }
  if (begin < count) most[begin / kChunkBlocks] = 0;
  for (int64_t b = begin; b < count; ++b) {
    uint32_t sum = 0;
    for (size_t n = 0; n < levels.size(); ++n) sum += uint32_t{levels[n][b]} * 256 * weights[n] >> 16;
    sums[b] = static_cast<uint16_t>(sum);
    most[begin / kChunkBlocks] = HWY_MAX(most[begin / kChunkBlocks], sums[b]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::index {

HWY_EXPORT(add_list);
HWY_EXPORT(add_dense);
HWY_EXPORT(add_bytes);
HWY_EXPORT(estimate);

void add_list(List list, const Posting* end, float weight, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_list)(list, end, weight, scores);
}
void add_dense(List list, float weight, float* scores) { HWY_DYNAMIC_DISPATCH(add_dense)(list, weight, scores); }
void add_levels(const uint8_t* levels, int64_t count, float weight, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_bytes)(levels, count, weight, scores);
}
void estimate(std::span<const uint8_t* const> levels, std::span<const uint16_t> weights, int64_t count, uint16_t* sums,
              uint16_t* most) {
  HWY_DYNAMIC_DISPATCH(estimate)(levels, weights, count, sums, most);
}

}  // namespace orthant::index
#endif
