#include "orthant/search/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/search/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
constexpr Tag d;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Tag()));
constexpr int64_t kPanelVectors = kPanelRows / kLanes;
constexpr int64_t kTileVectors = kTileQueries / kLanes;
// Queries at a time: their sums are twelve vectors, which leaves registers for the operands.
constexpr int64_t kBlock = kLanes >= 4 ? kGroupQueries * kLanes / kPanelRows : 1;

static_assert(kGroupQueries % kBlock == 0);

HWY_INLINE uint32_t scan_block(const float* HWY_RESTRICT group, const float* HWY_RESTRICT panel,
                               const float* HWY_RESTRICT starts, int64_t dims, const float* HWY_RESTRICT thresholds,
                               float* HWY_RESTRICT scores) {
  Vec sum[static_cast<size_t>(kBlock)][static_cast<size_t>(kPanelVectors)];
#pragma GCC unroll 12
  for (int64_t i = 0; i < kBlock; ++i) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kPanelVectors; ++v) sum[i][v] = hn::Load(d, starts + v * kLanes);
  }
#pragma GCC unroll 4
  for (int64_t k = 0; k < dims; ++k) {
    Vec row[static_cast<size_t>(kPanelVectors)];
#pragma GCC unroll 4
    for (int64_t v = 0; v < kPanelVectors; ++v) row[v] = hn::Load(d, panel + k * kPanelRows + v * kLanes);
#pragma GCC unroll 12
    for (int64_t i = 0; i < kBlock; ++i) {
      const Vec query = hn::Set(d, group[k * kGroupQueries + i]);
#pragma GCC unroll 4
      for (int64_t v = 0; v < kPanelVectors; ++v) sum[i][v] = hn::MulAdd(query, row[v], sum[i][v]);
    }
  }
  uint32_t hits = 0;
#pragma GCC unroll 12
  for (int64_t i = 0; i < kBlock; ++i) {
    const Vec threshold = hn::Set(d, thresholds[i]);
    auto above = hn::Gt(sum[i][0], threshold);
#pragma GCC unroll 4
    for (int64_t v = 1; v < kPanelVectors; ++v) above = hn::Or(above, hn::Gt(sum[i][v], threshold));
    if (hn::AllFalse(d, above)) continue;
    hits |= uint32_t{1} << i;
#pragma GCC unroll 4
    for (int64_t v = 0; v < kPanelVectors; ++v) hn::Store(sum[i][v], d, scores + i * kPanelRows + v * kLanes);
  }
  return hits;
}

uint32_t scan_panel(const float* group, const float* panel, const float* starts, int64_t dims, const float* thresholds,
                    float* scores) {
  uint32_t hits = 0;
  for (int64_t i = 0; i < kGroupQueries; i += kBlock) {
    hits |= scan_block(group + i, panel, starts, dims, thresholds + i, scores + i * kPanelRows) << i;
  }
  return hits;
}

HWY_INLINE uint32_t bits_of(hn::Mask<Tag> mask) {
  uint8_t bits[8] = {};  // of which Highway may write all
  hn::StoreMaskBits(d, mask, bits);
  return bits[0] | uint32_t{bits[1]} << 8;
}

RowHit scan_rows(const CompressedRows& rows, int64_t begin, int64_t end, const float* HWY_RESTRICT tile,
                 const float* HWY_RESTRICT thresholds, float* HWY_RESTRICT scores) {
  Vec limit[static_cast<size_t>(kTileVectors)];
#pragma GCC unroll 8
  for (int64_t v = 0; v < kTileVectors; ++v) limit[v] = hn::Load(d, thresholds + v * kLanes);
  for (int64_t i = begin; i < end; ++i) {
    Vec sum[static_cast<size_t>(kTileVectors)];
    const Vec start = hn::Set(d, rows.starts[i]);
#pragma GCC unroll 8
    for (int64_t v = 0; v < kTileVectors; ++v) sum[v] = start;
    const int64_t last = rows.offsets[i + 1];
    for (int64_t n = rows.offsets[i]; n < last; ++n) {
      const Vec value = hn::Set(d, rows.values[n]);
      const float* HWY_RESTRICT line = tile + int64_t{rows.columns[n]} * kTileQueries;
#pragma GCC unroll 8
      for (int64_t v = 0; v < kTileVectors; ++v) sum[v] = hn::MulAdd(value, hn::Load(d, line + v * kLanes), sum[v]);
    }
    auto above = hn::Gt(sum[0], limit[0]);
#pragma GCC unroll 8
    for (int64_t v = 1; v < kTileVectors; ++v) above = hn::Or(above, hn::Gt(sum[v], limit[v]));
    if (hn::AllFalse(d, above)) continue;
#pragma GCC unroll 8
    for (int64_t v = 0; v < kTileVectors; ++v) hn::Store(sum[v], d, scores + v * kLanes);
    uint32_t queries = 0;
    for (int64_t v = 0; v < kTileVectors; ++v) queries |= bits_of(hn::Gt(sum[v], limit[v])) << (v * kLanes);
    return {i, queries};
  }
  return {end, 0};
}

void add_list(const uint16_t* HWY_RESTRICT rows, const float* HWY_RESTRICT values, int64_t count, float value,
              float* HWY_RESTRICT scores) {
  const hn::CappedTag<float, 1> one;
  const auto factor = hn::Set(one, value);
#pragma GCC unroll 4
  for (int64_t n = 0; n < count; ++n) {
    float* score = scores + rows[n];
    hn::StoreU(hn::MulAdd(factor, hn::LoadU(one, values + n), hn::LoadU(one, score)), one, score);
  }
}

void add_column(const float* HWY_RESTRICT column, float value, int64_t count, float* HWY_RESTRICT products) {
  const Vec factor = hn::Set(d, value);
  for (int64_t t = 0; t < count; t += kLanes) {
    hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, column + t), hn::LoadU(d, products + t)), d, products + t);
  }
}

bool closeness(const float* HWY_RESTRICT products, const float* HWY_RESTRICT squares, int64_t count, float threshold,
               float* HWY_RESTRICT close) {
  const Vec two = hn::Set(d, 2.0F);
  Vec most = hn::Set(d, threshold);
  for (int64_t t = 0; t < count; t += kLanes) {
    const Vec value = hn::MulSub(two, hn::LoadU(d, products + t), hn::LoadU(d, squares + t));
    hn::StoreU(value, d, close + t);
    most = hn::Max(most, value);
  }
  return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, threshold)));
}

int64_t find_above(const float* scores, int64_t begin, int64_t end, float threshold) {
  const Vec limit = hn::Set(d, threshold);
  for (int64_t i = begin; i < end; i += kLanes) {
    const auto found = hn::FindFirstTrue(d, hn::Gt(hn::LoadU(d, scores + i), limit));
    if (found >= 0) return i + static_cast<int64_t>(found);
  }
  return end;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::search {

HWY_EXPORT(scan_panel);
HWY_EXPORT(scan_rows);
HWY_EXPORT(add_list);
HWY_EXPORT(add_column);
HWY_EXPORT(closeness);
HWY_EXPORT(find_above);

uint32_t scan_panel(const float* group, const float* panel, const float* starts, int64_t dims, const float* thresholds,
                    float* scores) {
  return HWY_DYNAMIC_DISPATCH(scan_panel)(group, panel, starts, dims, thresholds, scores);
}

RowHit scan_rows(const CompressedRows& rows, int64_t begin, int64_t end, const float* tile, const float* thresholds,
                 float* scores) {
  return HWY_DYNAMIC_DISPATCH(scan_rows)(rows, begin, end, tile, thresholds, scores);
}

void add_list(const uint16_t* rows, const float* values, int64_t count, float value, float* scores) {
  HWY_DYNAMIC_DISPATCH(add_list)(rows, values, count, value, scores);
}

void add_column(const float* column, float value, int64_t count, float* products) {
  HWY_DYNAMIC_DISPATCH(add_column)(column, value, count, products);
}

bool closeness(const float* products, const float* squares, int64_t count, float threshold, float* close) {
  return HWY_DYNAMIC_DISPATCH(closeness)(products, squares, count, threshold, close);
}

int64_t find_above(const float* scores, int64_t begin, int64_t end, float threshold) {
  return HWY_DYNAMIC_DISPATCH(find_above)(scores, begin, end, threshold);
}

}  // namespace orthant::search
#endif
