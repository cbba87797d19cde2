#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/nn/winograd.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes before highway.h and before what uses it.
#include <hwy/highway.h>

#include "learn/nn/panel_gemm-inl.h"
#include "learn/nn/winograd-inl.h"

#if HWY_ONCE
#include <algorithm>

#include "learn/nn/winograd.h"
#include "learn/nn/winograd_weights.h"
#include "orthant/core/threads.h"

namespace orthant {
namespace {

HWY_EXPORT(forward_block);
HWY_EXPORT(backward_block);

// Tiles of a block. Weights that fit into the second-level cache stay there if the block is small; others come from
// further away for every block, so it should be large.
int64_t block_tiles(const WinogradShape& s) {
  constexpr int64_t kFewWeights = 128 * 128;
  return s.in * s.out <= kFewWeights ? 12 : 128;
}

// How the tiles are dealt out: each part takes a run of whole images, in blocks of tiles.
struct Plan {
  WinogradTiles tiles;
  int64_t parts;
  int64_t block;  // tiles

  Plan(const WinogradShape& s, int threads) : tiles(s) {
    parts = std::clamp<int64_t>(resolve_threads(threads), 1, std::max<int64_t>(s.batch, 1));
    block = block_tiles(s);
  }
  int64_t in_floats() const { return WinogradTiles::matrix_stride(block, tiles.shape.in) * tiles.shape.points(); }
  int64_t out_floats() const { return WinogradTiles::matrix_stride(block, tiles.shape.out) * tiles.shape.points(); }

  template <class Body>
  void run(int threads, const Body& body) const {
    parallel_for(parts, 1, threads, [&](int64_t part, int64_t) {
      const int64_t end = tiles.shape.batch * (part + 1) / parts * tiles.per_image();
      for (int64_t i = tiles.shape.batch * part / parts * tiles.per_image(); i < end; i += block) {
        body(part, WinogradBlock{tiles, i, std::min(block, end - i)});
      }
    });
  }
};

}  // namespace

int64_t winograd_forward_scratch(const WinogradShape& shape, int threads) {
  const Plan plan(shape, threads);
  return plan.parts * (plan.in_floats() + plan.out_floats());
}

int64_t winograd_backward_scratch(const WinogradShape& shape, int threads) {
  const Plan plan(shape, threads);
  return plan.parts * (plan.in_floats() + plan.out_floats() + winograd_weight_floats(shape.in, shape.out));
}

void winograd_forward(std::span<const float> x, std::span<const float> panels, const WinogradShape& shape, int threads,
                      std::span<float> scratch, std::span<float> y) {
  const Plan plan(shape, threads);
  plan.run(threads, [&](int64_t part, const WinogradBlock& block) {
    float* v = scratch.data() + part * (plan.in_floats() + plan.out_floats());
    HWY_DYNAMIC_DISPATCH(forward_block)(x.data(), panels.data(), block, v, v + plan.in_floats(), y.data());
  });
}

void winograd_backward(std::span<const float> x, std::span<const float> dy, std::span<const float> panels,
                       const WinogradShape& shape, int threads, std::span<float> scratch, std::span<float> dx,
                       std::span<float> dweights) {
  const Plan plan(shape, threads);
  const int64_t sums = winograd_weight_floats(shape.in, shape.out);
  float* blocks = scratch.data() + plan.parts * sums;
  if (!dweights.empty()) {
    parallel_for(plan.parts, 1, threads,
                 [&](int64_t part, int64_t) { std::fill_n(scratch.data() + part * sums, sums, 0.0F); });
  }
  plan.run(threads, [&](int64_t part, const WinogradBlock& block) {
    float* v = blocks + part * (plan.in_floats() + plan.out_floats());
    HWY_DYNAMIC_DISPATCH(backward_block)
    (x.data(), dy.data(), panels.data(), block, v, v + plan.in_floats(), dx.empty() ? nullptr : dx.data(),
     dweights.empty() ? nullptr : scratch.data() + part * sums);
  });
  if (!dweights.empty()) winograd_weight_gradient(scratch, plan.parts, shape, threads, dweights);
}

}  // namespace orthant
#endif  // HWY_ONCE
