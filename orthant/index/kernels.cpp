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

HWY_INLINE hn::Vec<Tag> load_floats(const float* from) { return hn::LoadU(d, from); }
template <class Level>
HWY_INLINE hn::Vec<Tag> load_floats(const Level* from) {
  const hn::Rebind<int32_t, Tag> wide;
  const hn::Rebind<Level, Tag> narrow;
  return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, from)));
}

void add_list(const uint16_t* HWY_RESTRICT places, const uint16_t* HWY_RESTRICT levels, int64_t count, float weight,
              float* HWY_RESTRICT scores) {
  constexpr int64_t kChunk = 16;
  alignas(64) float products[kChunk];
  const auto factor = hn::Set(d, weight);
  int64_t n = 0;
  for (; n + kChunk <= count; n += kChunk) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kChunk; v += kLanes) {
      hn::Store(hn::Mul(factor, load_floats(levels + n + v)), d, products + v);
    }
#pragma GCC unroll 16
    for (int64_t i = 0; i < kChunk; ++i) scores[places[n + i]] += products[i];
  }
  for (; n < count; ++n) scores[places[n]] += weight * static_cast<float>(levels[n]);
}

template <class Level>
HWY_INLINE void add_all(const Level* HWY_RESTRICT levels, int64_t count, float weight, float* HWY_RESTRICT scores) {
  const auto factor = hn::Set(d, weight);
  int64_t n = 0;
  for (; n + 2 * kLanes <= count; n += 2 * kLanes) {
    hn::StoreU(hn::MulAdd(factor, load_floats(levels + n), hn::LoadU(d, scores + n)), d, scores + n);
    hn::StoreU(hn::MulAdd(factor, load_floats(levels + n + kLanes), hn::LoadU(d, scores + n + kLanes)), d,
               scores + n + kLanes);
  }
  for (; n < count; ++n) scores[n] += weight * static_cast<float>(levels[n]);
}

void add_shorts(const uint16_t* levels, int64_t count, float weight, float* scores) {
  add_all(levels, count, weight, scores);
}
void add_bytes(const uint8_t* levels, int64_t count, float weight, float* scores) {
  add_all(levels, count, weight, scores);
}

template <class Column, class Value>
HWY_INLINE float product(const Column* HWY_RESTRICT columns, const Value* HWY_RESTRICT values, int64_t count,
                         const float* HWY_RESTRICT query) {
  const hn::Rebind<int32_t, Tag> wide;
  const hn::Rebind<Column, Tag> narrow;
  auto sum = hn::Zero(d);
  int64_t n = 0;
  for (; n + kLanes <= count; n += kLanes) {
    hn::Vec<decltype(wide)> index;
    if constexpr (sizeof(Column) == 4) {
      index = hn::BitCast(wide, hn::LoadU(narrow, columns + n));
    } else {
      index = hn::PromoteTo(wide, hn::LoadU(narrow, columns + n));
    }
    sum = hn::MulAdd(load_floats(values + n), hn::GatherIndex(d, query, index), sum);
  }
  float rest = 0;
  for (; n < count; ++n) rest += static_cast<float>(values[n]) * query[columns[n]];
  return rest + hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Column, class Value>
HWY_INLINE void score(const RowsOf<Column, Value>& rows, int64_t begin, int64_t end, const float* query,
                      float* scores) {
  for (int64_t i = begin; i < end; ++i) {
    const int64_t last = HWY_MIN(int64_t{rows.starts[i + 1]}, rows.entries);
    const int64_t first = HWY_MIN(int64_t{rows.starts[i]}, last);
    scores[i - begin] = rows.scales[i] * product(rows.columns + first, rows.values + first, last - first, query);
  }
}

void score_16_f(const RowsOf<uint16_t, float>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}
void score_16_s(const RowsOf<uint16_t, uint16_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}
void score_16_b(const RowsOf<uint16_t, uint8_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}
void score_32_f(const RowsOf<uint32_t, float>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}
void score_32_s(const RowsOf<uint32_t, uint16_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}
void score_32_b(const RowsOf<uint32_t, uint8_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  score(rows, begin, end, query, scores);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::index {

HWY_EXPORT(add_list);
HWY_EXPORT(add_shorts);
HWY_EXPORT(add_bytes);
HWY_EXPORT(score_16_f);
HWY_EXPORT(score_16_s);
HWY_EXPORT(score_16_b);
HWY_EXPORT(score_32_f);
HWY_EXPORT(score_32_s);
HWY_EXPORT(score_32_b);

void add_list(const uint16_t* places, const uint16_t* levels, int64_t count, float weight, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_list)(places, levels, count, weight, scores);
}
void add_levels(const uint16_t* levels, int64_t count, float weight, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_shorts)(levels, count, weight, scores);
}
void add_levels(const uint8_t* levels, int64_t count, float weight, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_bytes)(levels, count, weight, scores);
}
template <>
void score_rows(const RowsOf<uint16_t, float>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_16_f)(rows, begin, end, query, scores);
}
template <>
void score_rows(const RowsOf<uint16_t, uint16_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_16_s)(rows, begin, end, query, scores);
}
template <>
void score_rows(const RowsOf<uint16_t, uint8_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_16_b)(rows, begin, end, query, scores);
}
template <>
void score_rows(const RowsOf<uint32_t, float>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_32_f)(rows, begin, end, query, scores);
}
template <>
void score_rows(const RowsOf<uint32_t, uint16_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_32_s)(rows, begin, end, query, scores);
}
template <>
void score_rows(const RowsOf<uint32_t, uint8_t>& rows, int64_t begin, int64_t end, const float* query, float* scores) {
  HWY_DYNAMIC_DISPATCH(score_32_b)(rows, begin, end, query, scores);
}

}  // namespace orthant::index
#endif
