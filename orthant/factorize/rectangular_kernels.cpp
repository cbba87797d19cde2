#include "orthant/factorize/rectangular_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/factorize/rectangular_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthant::factorize {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;

constexpr double kTiny = 1e-150;  // its inverse times any entry that is accepted stays finite
constexpr double kDead = 1e-300;  // a squared norm whose inverse would not be finite

// Rows lie across the lanes, eight vectors of them, so that a coordinate step needs no sum over lanes.
size_t block_rows() { return 8 * hn::Lanes(Tag()); }

// One coordinate of all rows of the block: w_j = max(0, w_j - (G_j w - b_j) / G_jj). Returns the squared movement.
double coordinate(double* HWY_RESTRICT w, const double* HWY_RESTRICT b, const double* HWY_RESTRICT gram_row, size_t j,
                  size_t k) {
  const Tag d;
  const size_t n = hn::Lanes(d);
  const size_t rows = 8 * n;
  const double* own_b = b + j * rows;
  auto s0 = hn::Neg(hn::Load(d, own_b)), s1 = hn::Neg(hn::Load(d, own_b + n));
  auto s2 = hn::Neg(hn::Load(d, own_b + 2 * n)), s3 = hn::Neg(hn::Load(d, own_b + 3 * n));
  auto s4 = hn::Neg(hn::Load(d, own_b + 4 * n)), s5 = hn::Neg(hn::Load(d, own_b + 5 * n));
  auto s6 = hn::Neg(hn::Load(d, own_b + 6 * n)), s7 = hn::Neg(hn::Load(d, own_b + 7 * n));
  for (size_t r = 0; r < k; ++r) {
    const auto g = hn::Set(d, gram_row[r]);
    const double* x = w + r * rows;
    s0 = hn::MulAdd(g, hn::Load(d, x), s0);
    s1 = hn::MulAdd(g, hn::Load(d, x + n), s1);
    s2 = hn::MulAdd(g, hn::Load(d, x + 2 * n), s2);
    s3 = hn::MulAdd(g, hn::Load(d, x + 3 * n), s3);
    s4 = hn::MulAdd(g, hn::Load(d, x + 4 * n), s4);
    s5 = hn::MulAdd(g, hn::Load(d, x + 5 * n), s5);
    s6 = hn::MulAdd(g, hn::Load(d, x + 6 * n), s6);
    s7 = hn::MulAdd(g, hn::Load(d, x + 7 * n), s7);
  }
  const auto inverse = hn::Set(d, 1 / gram_row[j]);
  auto moved = hn::Zero(d);
  const auto step = [&](auto gradient, double* at) HWY_ATTR {
    const auto before = hn::Load(d, at);
    const auto after = hn::Max(hn::Zero(d), hn::NegMulAdd(gradient, inverse, before));
    const auto change = hn::Sub(after, before);
    moved = hn::MulAdd(change, change, moved);
    hn::Store(after, d, at);
  };
  double* own = w + j * rows;
  step(s0, own);
  step(s1, own + n);
  step(s2, own + 2 * n);
  step(s3, own + 3 * n);
  step(s4, own + 4 * n);
  step(s5, own + 5 * n);
  step(s6, own + 6 * n);
  step(s7, own + 7 * n);
  return hn::GetLane(hn::SumOfLanes(d, moved));
}

void hals(double* HWY_RESTRICT w, const double* HWY_RESTRICT b, const double* HWY_RESTRICT gram, size_t rows, size_t k,
          int max_sweeps, double* HWY_RESTRICT block_w, double* HWY_RESTRICT block_b) {
  const size_t block = block_rows();
  for (size_t begin = 0; begin < rows; begin += block) {
    const size_t count = std::min(block, rows - begin);
    for (size_t j = 0; j < k; ++j) {
      for (size_t i = 0; i < block; ++i) {
        block_w[j * block + i] = i < count ? w[(begin + i) * k + j] : 0;
        block_b[j * block + i] = i < count ? b[(begin + i) * k + j] : 0;
      }
    }
    double first = 0;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      double moved = 0;
      for (size_t j = 0; j < k; ++j) {
        if (gram[j * k + j] > kDead) moved += coordinate(block_w, block_b, gram + j * k, j, k);
      }
      if (sweep == 0) first = moved;
      if (moved <= 0.01 * first) break;  // squares: a tenth of the distance
    }
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = 0; j < k; ++j) w[(begin + i) * k + j] = block_w[j * block + i];
    }
  }
}

double kl(const int32_t* HWY_RESTRICT indices, const double* HWY_RESTRICT values, size_t count,
          const double* HWY_RESTRICT w, const double* HWY_RESTRICT h, double* HWY_RESTRICT out, size_t k) {
  const Tag d;
  const size_t n = hn::Lanes(d);
  const size_t whole = k - k % n;
  std::fill(out, out + k, 0.0);
  double log_sum = 0;
  for (size_t t = 0; t < count; ++t) {
    const double* row = h + static_cast<size_t>(indices[t]) * k;
    auto sum = hn::Zero(d);
    for (size_t j = 0; j < whole; j += n) sum = hn::MulAdd(hn::LoadU(d, w + j), hn::LoadU(d, row + j), sum);
    double x = hn::GetLane(hn::SumOfLanes(d, sum));
    for (size_t j = whole; j < k; ++j) x += w[j] * row[j];
    x = std::max(x, kTiny);
    log_sum += values[t] * std::log(x);
    const double quotient = values[t] / x;
    const auto q = hn::Set(d, quotient);
    for (size_t j = 0; j < whole; j += n) {
      hn::StoreU(hn::MulAdd(q, hn::LoadU(d, row + j), hn::LoadU(d, out + j)), d, out + j);
    }
    for (size_t j = whole; j < k; ++j) out[j] += quotient * row[j];
  }
  return log_sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant::factorize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::factorize {

HWY_EXPORT(block_rows);
HWY_EXPORT(hals);
HWY_EXPORT(kl);

namespace {
constexpr int64_t kAlignment = 64 / sizeof(double);
}

int64_t hals_block_rows() { return static_cast<int64_t>(HWY_DYNAMIC_DISPATCH(block_rows)()); }

int64_t hals_scratch_size(int64_t k) { return 2 * k * hals_block_rows() + kAlignment; }

void hals_rows(std::span<double> w, std::span<const double> b, std::span<const double> gram, int64_t k, int max_sweeps,
               std::span<double> scratch) {
  const auto misaligned =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(scratch.data()) / sizeof(double)) % kAlignment;
  double* block_w = scratch.data() + (kAlignment - misaligned) % kAlignment;
  double* block_b = block_w + k * hals_block_rows();
  const auto cols = static_cast<size_t>(k);
  HWY_DYNAMIC_DISPATCH(hals)
  (w.data(), b.data(), gram.data(), w.size() / cols, cols, max_sweeps, block_w, block_b);
}

double kl_row(std::span<const int32_t> indices, std::span<const double> values, std::span<const double> w,
              const double* h, std::span<double> out) {
  return HWY_DYNAMIC_DISPATCH(kl)(indices.data(), values.data(), values.size(), w.data(), h, out.data(), out.size());
}

}  // namespace orthant::factorize
#endif
