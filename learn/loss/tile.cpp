#include "learn/loss/tile.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/loss/tile.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "orthant/core/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::loss {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kTileLanes>;
constexpr D d;
using orthant::HWY_NAMESPACE::fast_exp;

void merge(float peak, float sum, float& total_peak, double& total) {
  const double rise = static_cast<double>(peak) - static_cast<double>(total_peak);
  if (rise > 0) {
    total = total * std::exp(-rise) + static_cast<double>(sum);
    total_peak = peak;
  } else {
    total += static_cast<double>(sum) * std::exp(rise);
  }
}

void add_rows(const Tile& tile, LogSums sums) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < tile.rows; ++i) {
    const float* row = tile.values + i * tile.stride;
    auto high = hn::Set(d, kMasked);
    for (int64_t j = 0; j < tile.cols; j += lanes) high = hn::Max(high, hn::LoadU(d, row + j));
    const float peak = hn::GetLane(hn::MaxOfLanes(d, high));
    const auto shift = hn::Set(d, peak);
    auto sum = hn::Zero(d);
    for (int64_t j = 0; j < tile.cols; j += lanes) {
      sum = hn::Add(sum, fast_exp(d, hn::Sub(hn::LoadU(d, row + j), shift)));
    }
    const auto at = static_cast<size_t>(i);
    merge(peak, hn::GetLane(hn::SumOfLanes(d, sum)), sums.peak[at], sums.sum[at]);
  }
}

void add_columns(const Tile& tile, LogSums sums) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float peaks[kTileLanes];
  HWY_ALIGN float parts[kTileLanes];
  for (int64_t j = 0; j < tile.cols; j += lanes) {
    const float* column = tile.values + j;
    auto high = hn::Set(d, kMasked);
    for (int64_t i = 0; i < tile.rows; ++i) high = hn::Max(high, hn::LoadU(d, column + i * tile.stride));
    auto sum = hn::Zero(d);
    for (int64_t i = 0; i < tile.rows; ++i) {
      sum = hn::Add(sum, fast_exp(d, hn::Sub(hn::LoadU(d, column + i * tile.stride), high)));
    }
    hn::Store(high, d, peaks);
    hn::Store(sum, d, parts);
    for (int64_t lane = 0; lane < std::min(lanes, tile.cols - j); ++lane) {
      const auto at = static_cast<size_t>(j + lane);
      merge(peaks[lane], parts[lane], sums.peak[at], sums.sum[at]);
    }
  }
}

void exponentiate(const Tile& tile, std::span<const float> row_shift, std::span<const float> column_shift) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < tile.rows; ++i) {
    float* row = tile.values + i * tile.stride;
    const auto shift = hn::Set(d, row_shift[static_cast<size_t>(i)]);
    for (int64_t j = 0; j < tile.cols; j += lanes) {
      const auto x = hn::LoadU(d, row + j);
      const auto by_row = fast_exp(d, hn::Sub(x, shift));
      const auto by_column = fast_exp(d, hn::Sub(x, hn::LoadU(d, column_shift.data() + j)));
      hn::StoreU(hn::Add(by_row, by_column), d, row + j);
    }
  }
}

void exponentials(std::span<const float> x, std::span<float> out) {
  const hn::CappedTag<float, 1> one;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) hn::StoreU(fast_exp(d, hn::LoadU(d, x.data() + i)), d, out.data() + i);
  for (; i < x.size(); ++i) hn::StoreU(fast_exp(one, hn::LoadU(one, x.data() + i)), one, out.data() + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::loss
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::loss {

HWY_EXPORT(add_rows);
HWY_EXPORT(add_columns);
HWY_EXPORT(exponentiate);
HWY_EXPORT(exponentials);

void add_rows(const Tile& tile, LogSums sums) { HWY_DYNAMIC_DISPATCH(add_rows)(tile, sums); }

void add_columns(const Tile& tile, LogSums sums) { HWY_DYNAMIC_DISPATCH(add_columns)(tile, sums); }

void exponentiate(const Tile& tile, std::span<const float> row_shift, std::span<const float> column_shift) {
  HWY_DYNAMIC_DISPATCH(exponentiate)(tile, row_shift, column_shift);
}

void exponentials(std::span<const float> x, std::span<float> out) { HWY_DYNAMIC_DISPATCH(exponentials)(x, out); }

}  // namespace orthant::loss
#endif
