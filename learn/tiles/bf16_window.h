#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/tiles/bf16_conv.h"
#include "orthant/core/threads.h"

// What the passes of bf16_conv.h share.
namespace orthant {

inline int64_t tile_pairs(int64_t channels) { return (channels + kTilePair - 1) / kTilePair; }

// How many threads share so many groups of 32 images.
inline int64_t parts(int64_t groups, int threads) {
  return std::clamp<int64_t>(resolve_threads(threads), 1, std::max<int64_t>(groups, 1));
}

// [image, row, column, channel]
struct Bf16Image {
  int64_t height;
  int64_t width;
  int64_t channels;

  int64_t pixels() const { return height * width; }
  int64_t at(int64_t image, int64_t row, int64_t column) const {
    return (image * pixels() + row * width + column) * channels;
  }
};

// Which places of the source, along one side, a place of the target is made from. Forward it is place * stride + tap -
// padding; backward, from the output to the input, all those of which that is the target.
struct Bf16Window {
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  bool reverse;

  static Bf16Window forward(const Bf16ConvShape& s) { return {s.kernel, s.stride, s.padding, false}; }
  static Bf16Window backward(const Bf16ConvShape& s) { return {s.kernel, s.stride, s.padding, true}; }

  int64_t taps() const { return kernel * kernel; }

  // The first and the last source that a target may need, of `size`; there are none if the last comes first.
  int64_t first(int64_t place) const {
    if (!reverse) return std::max<int64_t>(place * stride - padding, 0);
    return std::max<int64_t>(place + padding - kernel + stride, 0) / stride;
  }
  int64_t last(int64_t place, int64_t size) const {
    return std::min(reverse ? (place + padding) / stride : place * stride + kernel - 1 - padding, size - 1);
  }

  // Calls body(tap, source) for each source in [0, size), in the order of the taps.
  template <class Body>
  void visit(int64_t place, int64_t size, const Body& body) const {
    for (int64_t tap = 0; tap < kernel; ++tap) {
      const int64_t at = reverse ? place + padding - tap : place * stride + tap - padding;
      if (at < 0 || (reverse && at % stride != 0)) continue;
      const int64_t source = reverse ? at / stride : at;
      if (source < size) body(tap, source);
    }
  }
};

}  // namespace orthant
