#include "orthant/factorize/target_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/factorize/target_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant::factorize {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void row_times_dense(const int32_t* HWY_RESTRICT indices, const double* HWY_RESTRICT values, size_t count,
                     const double* HWY_RESTRICT b, double* HWY_RESTRICT out, size_t k) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  size_t col = 0;
  // Eight named accumulators: arrays of vectors do not exist on every target.
  for (; col + 8 * lanes <= k; col += 8 * lanes) {
    auto s0 = hn::Zero(d), s1 = hn::Zero(d), s2 = hn::Zero(d), s3 = hn::Zero(d);
    auto s4 = hn::Zero(d), s5 = hn::Zero(d), s6 = hn::Zero(d), s7 = hn::Zero(d);
    for (size_t t = 0; t < count; ++t) {
      const double* row = b + static_cast<size_t>(indices[t]) * k + col;
      const auto v = hn::Set(d, values[t]);
      s0 = hn::MulAdd(v, hn::LoadU(d, row), s0);
      s1 = hn::MulAdd(v, hn::LoadU(d, row + lanes), s1);
      s2 = hn::MulAdd(v, hn::LoadU(d, row + 2 * lanes), s2);
      s3 = hn::MulAdd(v, hn::LoadU(d, row + 3 * lanes), s3);
      s4 = hn::MulAdd(v, hn::LoadU(d, row + 4 * lanes), s4);
      s5 = hn::MulAdd(v, hn::LoadU(d, row + 5 * lanes), s5);
      s6 = hn::MulAdd(v, hn::LoadU(d, row + 6 * lanes), s6);
      s7 = hn::MulAdd(v, hn::LoadU(d, row + 7 * lanes), s7);
    }
    hn::StoreU(s0, d, out + col);
    hn::StoreU(s1, d, out + col + lanes);
    hn::StoreU(s2, d, out + col + 2 * lanes);
    hn::StoreU(s3, d, out + col + 3 * lanes);
    hn::StoreU(s4, d, out + col + 4 * lanes);
    hn::StoreU(s5, d, out + col + 5 * lanes);
    hn::StoreU(s6, d, out + col + 6 * lanes);
    hn::StoreU(s7, d, out + col + 7 * lanes);
  }
  for (; col + 2 * lanes <= k; col += 2 * lanes) {
    auto s0 = hn::Zero(d), s1 = hn::Zero(d);
    for (size_t t = 0; t < count; ++t) {
      const double* row = b + static_cast<size_t>(indices[t]) * k + col;
      const auto v = hn::Set(d, values[t]);
      s0 = hn::MulAdd(v, hn::LoadU(d, row), s0);
      s1 = hn::MulAdd(v, hn::LoadU(d, row + lanes), s1);
    }
    hn::StoreU(s0, d, out + col);
    hn::StoreU(s1, d, out + col + lanes);
  }
  for (; col < k; ++col) {
    double sum = 0;
    for (size_t t = 0; t < count; ++t) sum += values[t] * b[static_cast<size_t>(indices[t]) * k + col];
    out[col] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::factorize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::factorize {

HWY_EXPORT(row_times_dense);

void sparse_row_times_dense(std::span<const int32_t> indices, std::span<const double> values, const double* b,
                            std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(row_times_dense)(indices.data(), values.data(), values.size(), b, out.data(), out.size());
}

}  // namespace orthant::factorize
#endif
