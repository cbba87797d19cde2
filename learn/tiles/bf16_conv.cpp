#include "learn/tiles/bf16_conv.h"

#include <algorithm>
#include <array>

#include "learn/tiles/bf16_window.h"
#include "orthant/core/threads.h"

namespace orthant {
namespace {

constexpr int64_t kBandPixels = 32;  // of the output, at least, that meet the weights at once

// One direction: every pixel of the target is a sum over taps of pixels of the source.
struct Pass {
  Bf16Image source;
  Bf16Image target;
  Bf16Window window;
  int64_t batch;

  int64_t groups() const { return (batch + kTilePair - 1) / kTilePair; }
  int64_t depth() const { return tile_pairs(source.channels); }
  int64_t band() const { return std::clamp<int64_t>(kBandPixels / target.width, 1, target.height); }

  // Rows of the source that a band of the target needs at the most.
  int64_t ring() const {
    int64_t most = 1;
    for (int64_t row = 0; row < target.height; row += band()) {
      const int64_t last = std::min(row + band(), target.height) - 1;
      most = std::max(most, window.last(last, source.height) - window.first(row) + 1);
    }
    return std::min(most, source.height);
  }
  int64_t row_numbers() const { return source.width * depth() * kPairElements; }
  int64_t scratch(int threads) const { return parts(groups(), threads) * ring() * row_numbers(); }
};

Pass forward_pass(const Bf16ConvShape& s) {
  return {{s.height, s.width, s.in}, {s.out_height(), s.out_width(), s.out}, Bf16Window::forward(s), s.batch};
}

Pass backward_pass(const Bf16ConvShape& s) {
  return {{s.out_height(), s.out_width(), s.out}, {s.height, s.width, s.in}, Bf16Window::backward(s), s.batch};
}

// One row of 32 images, or of those that are left, as left tiles [pixel, depth, 32 images].
void pack_row(const Pass& p, const float* x, int64_t group, int64_t row, Bf16* to) {
  for (int64_t i = 0; i < kTilePair; ++i) {
    const int64_t image = group * kTilePair + i;
    const float* from = image < p.batch ? x + p.source.at(image, row, 0) : nullptr;
    for (int64_t column = 0; column < p.source.width; ++column) {
      pack_left_row(from == nullptr ? nullptr : from + column * p.source.channels, p.source.channels,
                    to + column * p.depth() * kPairElements + i * kTilePair);
    }
  }
}

// The sums of one pixel of 32 images and 32 channels, whatever of them exists.
void multiply_pixel(const Pass& p, const TileRun* runs, int64_t count, int64_t group, int64_t pixel, int64_t channel,
                    float* y) {
  float* to = y + (group * kTilePair * p.target.pixels() + pixel) * p.target.channels + channel;
  const int64_t stride = p.target.pixels() * p.target.channels;
  const int64_t rows = std::min(p.batch - group * kTilePair, kTilePair);
  const int64_t columns = std::min(p.target.channels - channel, kTilePair);
  if (rows == kTilePair && columns == kTilePair) {
    return multiply_tiles(runs, count, kPairElements, kPairElements, {to, stride, false});
  }
  alignas(64) std::array<float, kTilePair * kTilePair> sums;
  multiply_tiles(runs, count, kPairElements, kPairElements, {sums.data(), kTilePair, false});
  for (int64_t i = 0; i < rows; ++i) std::copy_n(sums.data() + i * kTilePair, columns, to + i * stride);
}

void multiply_band(const Pass& p, const Bf16* packed, const Bf16* tiles, int64_t group, int64_t begin, int64_t end,
                   float* y) {
  const int64_t ring = p.ring();
  std::array<TileRun, kMostBf16Kernel * kMostBf16Kernel> runs;
  for (int64_t channel = 0; channel < p.target.channels; channel += kTilePair) {
    const Bf16* weights = tiles + channel / kTilePair * p.window.taps() * p.depth() * kPairElements;
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t column = 0; column < p.target.width; ++column) {
        int64_t count = 0;
        p.window.visit(row, p.source.height, [&](int64_t ky, int64_t source_row) {
          p.window.visit(column, p.source.width, [&](int64_t kx, int64_t source_column) {
            const int64_t at = source_row % ring * p.source.width + source_column;
            runs[static_cast<size_t>(count++)] = {packed + at * p.depth() * kPairElements,
                                                  weights + (ky * p.window.kernel + kx) * p.depth() * kPairElements,
                                                  p.depth()};
          });
        });
        multiply_pixel(p, runs.data(), count, group, row * p.target.width + column, channel, y);
      }
    }
  }
}

void run(const Pass& p, const float* x, const Bf16* tiles, int threads, Bf16* scratch, float* y) {
  const int64_t shares = parts(p.groups(), threads);
  const int64_t ring = p.ring();
  parallel_for(shares, 1, threads, [&](int64_t part, int64_t) {
    const TileScope scope;
    Bf16* packed = scratch + part * ring * p.row_numbers();
    for (int64_t group = p.groups() * part / shares; group < p.groups() * (part + 1) / shares; ++group) {
      int64_t next = 0;  // row of the source to be packed
      for (int64_t row = 0; row < p.target.height; row += p.band()) {
        const int64_t end = std::min(row + p.band(), p.target.height);
        next = std::max(next, p.window.first(row));
        for (; next <= p.window.last(end - 1, p.source.height); ++next) {
          pack_row(p, x, group, next, packed + next % ring * p.row_numbers());
        }
        multiply_band(p, packed, tiles, group, row, end, y);
      }
    }
  });
}

// Tiles [columns / 32, tap, rows / 32]: a matrix of rows by columns for each tap.
void pack_weights(const float* weights, int64_t taps, int64_t rows, int64_t columns, int64_t row_step,
                  int64_t column_step, int threads, Bf16* tiles) {
  parallel_for(tile_pairs(columns), 1, threads, [&](int64_t block, int64_t) {
    const int64_t column = block * kTilePair;
    for (int64_t tap = 0; tap < taps; ++tap) {
      pack_right_matrix(weights + tap + column * column_step, rows, columns - column, row_step, column_step,
                        tiles + (block * taps + tap) * tile_pairs(rows) * kPairElements);
    }
  });
}

}  // namespace

int64_t bf16_weight_numbers(const Bf16ConvShape& s) {
  return s.taps() * tile_pairs(s.in) * tile_pairs(s.out) * kPairElements;
}

void bf16_weights(std::span<const float> weights, const Bf16ConvShape& s, int threads, std::span<Bf16> tiles) {
  pack_weights(weights.data(), s.taps(), s.in, s.out, s.taps(), s.taps() * s.in, threads, tiles.data());
}

void bf16_weights_transposed(std::span<const float> weights, const Bf16ConvShape& s, int threads,
                             std::span<Bf16> tiles) {
  pack_weights(weights.data(), s.taps(), s.out, s.in, s.taps() * s.in, s.taps(), threads, tiles.data());
}

int64_t bf16_forward_scratch(const Bf16ConvShape& shape, int threads) { return forward_pass(shape).scratch(threads); }

int64_t bf16_input_gradient_scratch(const Bf16ConvShape& shape, int threads) {
  return backward_pass(shape).scratch(threads);
}

void bf16_forward(std::span<const float> x, std::span<const Bf16> tiles, const Bf16ConvShape& shape, int threads,
                  std::span<Bf16> scratch, std::span<float> y) {
  run(forward_pass(shape), x.data(), tiles.data(), threads, scratch.data(), y.data());
}

void bf16_input_gradient(std::span<const float> dy, std::span<const Bf16> tiles, const Bf16ConvShape& shape,
                         int threads, std::span<Bf16> scratch, std::span<float> dx) {
  run(backward_pass(shape), dy.data(), tiles.data(), threads, scratch.data(), dx.data());
}

}  // namespace orthant
