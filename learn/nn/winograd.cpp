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

constexpr int64_t kBlockTiles = 64;

// How the images are dealt out: each part takes a run of whole images, in blocks of about kBlockTiles tiles.
struct Plan {
  WinogradTiles tiles;
  int64_t images;  // per block
  int64_t parts;

  Plan(const WinogradShape& s, int threads) : tiles(s) {
    images = std::clamp<int64_t>(kBlockTiles / tiles.per_image(), 1, std::max<int64_t>(s.batch, 1));
    parts = std::clamp<int64_t>(resolve_threads(threads), 1, std::max<int64_t>(s.batch, 1));
  }
  int64_t in_floats() const { return tiles.matrix_stride(images, tiles.shape.in) * kWinogradPoints; }
  int64_t out_floats() const { return tiles.matrix_stride(images, tiles.shape.out) * kWinogradPoints; }

  template <class Body>
  void run(int threads, const Body& body) const {
    parallel_for(parts, 1, threads, [&](int64_t part, int64_t) {
      const int64_t end = tiles.shape.batch * (part + 1) / parts;
      for (int64_t i = tiles.shape.batch * part / parts; i < end; i += images) {
        body(part, i, std::min(images, end - i));
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
  const int64_t x_image = shape.height * shape.width * shape.in;
  const int64_t y_image = shape.height * shape.width * shape.out;
  plan.run(threads, [&](int64_t part, int64_t first, int64_t images) {
    float* v = scratch.data() + part * (plan.in_floats() + plan.out_floats());
    HWY_DYNAMIC_DISPATCH(forward_block)
    (x.data() + first * x_image, panels.data(), plan.tiles, images, v, v + plan.in_floats(),
     y.data() + first * y_image);
  });
}

void winograd_backward(std::span<const float> x, std::span<const float> dy, std::span<const float> panels,
                       const WinogradShape& shape, int threads, std::span<float> scratch, std::span<float> dx,
                       std::span<float> dweights) {
  const Plan plan(shape, threads);
  const int64_t x_image = shape.height * shape.width * shape.in;
  const int64_t y_image = shape.height * shape.width * shape.out;
  const int64_t sums = winograd_weight_floats(shape.in, shape.out);
  float* blocks = scratch.data() + plan.parts * sums;
  if (!dweights.empty()) {
    parallel_for(plan.parts, 1, threads,
                 [&](int64_t part, int64_t) { std::fill_n(scratch.data() + part * sums, sums, 0.0F); });
  }
  plan.run(threads, [&](int64_t part, int64_t first, int64_t images) {
    float* v = blocks + part * (plan.in_floats() + plan.out_floats());
    HWY_DYNAMIC_DISPATCH(backward_block)
    (x.data() + first * x_image, dy.data() + first * y_image, panels.data(), plan.tiles, images, v,
     v + plan.in_floats(), dx.empty() ? nullptr : dx.data() + first * x_image,
     dweights.empty() ? nullptr : scratch.data() + part * sums);
  });
  if (!dweights.empty()) winograd_weight_gradient(scratch, plan.parts, shape.in, shape.out, threads, dweights);
}

}  // namespace orthant
#endif  // HWY_ONCE
