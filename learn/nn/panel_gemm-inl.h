// Matrix products over panels, per Highway target; included by sources inside their own foreach_target loop.
//
// A matrix [rows, columns] in panels is [columns / 16, rows, 16]: a row of a panel is one cache line, so that every
// access below runs through memory in order whatever the sizes.

#if defined(ORTHANT_LEARN_NN_PANEL_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHANT_LEARN_NN_PANEL_GEMM_INL_H_
#undef ORTHANT_LEARN_NN_PANEL_GEMM_INL_H_
#else
#define ORTHANT_LEARN_NN_PANEL_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace orthant {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kPanel = 16;
using PanelTag = hn::CappedTag<float, 16>;
constexpr int64_t kPanelLanes = static_cast<int64_t>(hn::MaxLanes(PanelTag()));
constexpr int64_t kPanelVectors = kPanel / kPanelLanes;

// c [kRows lines of 16] = or += a * b over `depth` steps. Step k multiplies the line b + 16 k by kRows scalars:
// those 16 i + k % 16 floats into the k / 16-th panel of a, or, transposed, i floats into its k-th line.
template <int64_t kRows, bool kTransposed>
HWY_INLINE void panel_block(const float* HWY_RESTRICT a, int64_t a_panel, const float* HWY_RESTRICT b, int64_t depth,
                            bool add, float* HWY_RESTRICT c) {
  const PanelTag d;
  hn::Vec<PanelTag> sum[static_cast<size_t>(kRows)][static_cast<size_t>(kPanelVectors)];
#pragma GCC unroll 8
  for (int64_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kPanelVectors; ++v) {
      sum[i][v] = add ? hn::Load(d, c + i * kPanel + v * kPanelLanes) : hn::Zero(d);
    }
  }
  const auto step = [&](const float* HWY_RESTRICT scalars, int64_t scalar_step, const float* HWY_RESTRICT line)
                        HWY_ATTR {
                          hn::Vec<PanelTag> bv[static_cast<size_t>(kPanelVectors)];
#pragma GCC unroll 4
                          for (int64_t v = 0; v < kPanelVectors; ++v) bv[v] = hn::Load(d, line + v * kPanelLanes);
#pragma GCC unroll 8
                          for (int64_t i = 0; i < kRows; ++i) {
                            const auto av = hn::Set(d, scalars[i * scalar_step]);
#pragma GCC unroll 4
                            for (int64_t v = 0; v < kPanelVectors; ++v) sum[i][v] = hn::MulAdd(av, bv[v], sum[i][v]);
                          }
                        };
  if constexpr (kTransposed) {
    for (int64_t k = 0; k < depth; ++k) step(a + k * kPanel, 1, b + k * kPanel);
  } else {
    for (int64_t panel = 0; panel < depth / kPanel; ++panel) {
      const float* HWY_RESTRICT from = a + panel * a_panel;
      const float* HWY_RESTRICT line = b + panel * kPanel * kPanel;
#pragma GCC unroll 4
      for (int64_t k = 0; k < kPanel; ++k) step(from + k, kPanel, line + k * kPanel);
    }
  }
#pragma GCC unroll 8
  for (int64_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kPanelVectors; ++v) hn::Store(sum[i][v], d, c + i * kPanel + v * kPanelLanes);
  }
}

constexpr int64_t kBlockRows = 6;  // 6 x 16 sums fill the 16 registers of AVX2 with the operands

// The rows that remain after the blocks of six.
template <bool kTransposed>
HWY_INLINE void panel_rest(int64_t rows, const float* a, int64_t a_panel, const float* b, int64_t depth, bool add,
                           float* c) {
  switch (rows) {
    case 5:
      return panel_block<5, kTransposed>(a, a_panel, b, depth, add, c);
    case 4:
      return panel_block<4, kTransposed>(a, a_panel, b, depth, add, c);
    case 3:
      return panel_block<3, kTransposed>(a, a_panel, b, depth, add, c);
    case 2:
      return panel_block<2, kTransposed>(a, a_panel, b, depth, add, c);
    case 1:
      return panel_block<1, kTransposed>(a, a_panel, b, depth, add, c);
    default:
      return;
  }
}

constexpr int64_t kDepthBlock = 256;  // 16 kB of b stay in the first-level cache

// c [rows, columns] = a [rows, depth] * b [depth, columns], all in panels.
inline void panel_multiply(const float* a, const float* b, int64_t rows, int64_t depth, int64_t columns, float* c) {
  for (int64_t k = 0; k < depth; k += kDepthBlock) {
    const int64_t steps = depth - k < kDepthBlock ? depth - k : kDepthBlock;
    for (int64_t j = 0; j < columns; j += kPanel) {
      const float* lines = b + j * depth + k * kPanel;
      int64_t i = 0;
      for (; i + kBlockRows <= rows; i += kBlockRows) {
        panel_block<kBlockRows, false>(a + k * rows + i * kPanel, rows * kPanel, lines, steps, k > 0,
                                       c + j * rows + i * kPanel);
      }
      panel_rest<false>(rows - i, a + k * rows + i * kPanel, rows * kPanel, lines, steps, k > 0,
                        c + j * rows + i * kPanel);
    }
  }
}

// c [columns_a, columns_b] += a^T [columns_a, rows] * b [rows, columns_b], all in panels.
inline void panel_multiply_transposed(const float* a, const float* b, int64_t rows, int64_t columns_a,
                                      int64_t columns_b, float* c) {
  for (int64_t j = 0; j < columns_b; j += kPanel) {
    for (int64_t p = 0; p < columns_a; p += kPanel) {
      const float* from = a + p * rows;
      float* to = c + j * columns_a + p * kPanel;
      panel_block<6, true>(from, 0, b + j * rows, rows, true, to);
      panel_block<6, true>(from + 6, 0, b + j * rows, rows, true, to + 6 * kPanel);
      panel_block<4, true>(from + 12, 0, b + j * rows, rows, true, to + 12 * kPanel);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthant
HWY_AFTER_NAMESPACE();

#endif  // ORTHANT_LEARN_NN_PANEL_GEMM_INL_H_
