#include <algorithm>
#include <array>

#include "learn/tiles/bf16_conv.h"
#include "learn/tiles/bf16_window.h"
#include "orthant/core/threads.h"

namespace orthant {
namespace {

constexpr int64_t kBlock = kTilePair * kTilePair;  // sums of 32 x 32 channels and one tap
constexpr int64_t kBandBytes = 768 << 10;          // of packed operands, so that they stay in the second-level cache
constexpr int64_t kSlabBytes = 2048 << 10;         // the same of whole images, where sums are many and pixels few
constexpr int64_t kMostRuns = 256;

// The products that meet the sums at once: a band of rows of the output of 32 images, or all rows of several times 32.
struct Plan {
  Bf16ConvShape shape;
  Bf16Image x;
  Bf16Image dy;
  Bf16Window window;
  int64_t band;  // rows of dy
  int64_t ring;  // rows of x that are packed at a time
  int64_t slab;  // groups of 32 images

  explicit Plan(const Bf16ConvShape& s, int threads)
      : shape(s), x{s.height, s.width, s.in}, dy{s.out_height(), s.out_width(), s.out}, window(Bf16Window::forward(s)) {
    const int64_t row_bytes =
        kPairElements * 2 * (s.stride * x.width * tile_pairs(s.in) + dy.width * tile_pairs(s.out));
    const int64_t most = std::clamp<int64_t>(kBandBytes / row_bytes, 1, dy.height);
    const int64_t bands = (dy.height + most - 1) / most;
    band = (dy.height + bands - 1) / bands;
    ring = 1;
    for (int64_t row = 0; row < dy.height; row += band) {
      const int64_t last = std::min(row + band, dy.height) - 1;
      ring = std::max(ring, window.last(last, x.height) - window.first(row) + 1);
    }
    ring = std::min(ring, x.height);
    slab = 1;
    if (band == dy.height) {
      const int64_t largest = std::min(groups() / shares(threads) + 1, std::max<int64_t>(kMostRuns / band, 1));
      slab = std::clamp<int64_t>(kSlabBytes / (row_bytes * band), 1, largest);
    }
  }

  int64_t groups() const { return (shape.batch + kTilePair - 1) / kTilePair; }
  int64_t shares(int threads) const { return parts(groups(), threads); }
  int64_t x_step() const { return slab * ring * x.width * kPairElements; }  // from 32 channels to the next
  int64_t dy_step() const { return slab * band * dy.width * kPairElements; }
  int64_t x_numbers() const { return x_step() * tile_pairs(x.channels); }
  int64_t dy_numbers() const { return dy_step() * tile_pairs(dy.channels); }
  int64_t sums() const { return shape.taps() * tile_pairs(shape.in) * tile_pairs(shape.out) * kBlock; }
};

// A row of 32 images as pairs of images: right tiles, those of the first 32 channels of every pixel, then the next.
void pack_row(const Bf16Image& image, int64_t batch, const float* values, int64_t group, int64_t row, int64_t step,
              Bf16* to) {
  for (int64_t pair = 0; pair < kTileRows; ++pair) {
    const int64_t even = group * kTilePair + 2 * pair;
    const float* first = even < batch ? values + image.at(even, row, 0) : nullptr;
    const float* second = even + 1 < batch ? values + image.at(even + 1, row, 0) : nullptr;
    for (int64_t column = 0; column < image.width; ++column) {
      const int64_t at = column * image.channels;
      pack_right_rows(first == nullptr ? nullptr : first + at, second == nullptr ? nullptr : second + at,
                      image.channels, step, to + column * kPairElements + pair * kTilePair);
    }
  }
}

void transpose_row(const Bf16Image& image, int64_t step, Bf16* to) {
  for (int64_t block = 0; block < tile_pairs(image.channels); ++block) {
    for (int64_t tile = 0; tile < 2 * image.width; ++tile) {
      transpose_tile(to + block * step + tile * kPairElements / 2);
    }
  }
}

struct Packed {
  const Bf16* x;
  const Bf16* dy;
  int64_t groups;  // of 32 images
  int64_t begin;   // rows of dy
  int64_t end;
};

// The runs of pixels of dy whose tap (ky, kx) is a pixel of x.
int64_t find_runs(const Plan& p, const Packed& packed, int64_t ky, int64_t kx, std::array<TileRun, kMostRuns>& runs) {
  const int64_t stride = p.shape.stride;
  const int64_t shift = kx - p.shape.padding;
  const int64_t left = shift < 0 ? (-shift + stride - 1) / stride : 0;
  const int64_t right = shift >= p.x.width ? 0 : std::min((p.x.width - 1 - shift) / stride + 1, p.dy.width);
  int64_t count = 0;
  for (int64_t group = 0; group < packed.groups && left < right; ++group) {
    for (int64_t row = packed.begin; row < packed.end; ++row) {
      const int64_t source = row * stride + ky - p.shape.padding;
      if (source < 0 || source >= p.x.height) continue;
      const int64_t a = (group * p.band + row - packed.begin) * p.dy.width + left;
      const int64_t b = (group * p.ring + source % p.ring) * p.x.width + left * stride + shift;
      runs[static_cast<size_t>(count++)] = {packed.dy + a * kPairElements, packed.x + b * kPairElements, right - left};
    }
  }
  return count;
}

void add_products(const Plan& p, const Packed& packed, float* sums) {
  std::array<TileRun, kMostRuns> runs;
  for (int64_t o = 0; o < tile_pairs(p.dy.channels); ++o) {
    for (int64_t c = 0; c < tile_pairs(p.x.channels); ++c) {
      const Packed block{packed.x + c * p.x_step(), packed.dy + o * p.dy_step(), packed.groups, packed.begin,
                         packed.end};
      for (int64_t tap = 0; tap < p.shape.taps(); ++tap, sums += kBlock) {
        const int64_t count = find_runs(p, block, tap / p.shape.kernel, tap % p.shape.kernel, runs);
        if (count == 0) continue;
        multiply_tiles(runs.data(), count, kPairElements, p.shape.stride * kPairElements, {sums, kTilePair, true});
      }
    }
  }
}

// What groups [begin, end) of images add to the sums.
void add_images(const Plan& p, const float* x, const float* dy, int64_t begin, int64_t end, Bf16* scratch,
                float* sums) {
  Bf16* packed_x = scratch;
  Bf16* packed_dy = scratch + p.x_numbers();
  for (int64_t first = begin; first < end; first += p.slab) {
    const int64_t groups = std::min(p.slab, end - first);
    int64_t next = 0;  // row of x to be packed
    for (int64_t row = 0; row < p.dy.height; row += p.band) {
      const int64_t last = std::min(row + p.band, p.dy.height);
      const int64_t x_begin = std::max(next, p.window.first(row));
      next = std::max(x_begin, p.window.last(last - 1, p.x.height) + 1);
      for (int64_t group = 0; group < groups; ++group) {
        for (int64_t r = x_begin; r < next; ++r) {
          pack_row(p.x, p.shape.batch, x, first + group, r, p.x_step(),
                   packed_x + (group * p.ring + r % p.ring) * p.x.width * kPairElements);
        }
        for (int64_t r = row; r < last; ++r) {
          Bf16* to = packed_dy + (group * p.band + r - row) * p.dy.width * kPairElements;
          pack_row(p.dy, p.shape.batch, dy, first + group, r, p.dy_step(), to);
          transpose_row(p.dy, p.dy_step(), to);
        }
      }
      add_products(p, {packed_x, packed_dy, groups, row, last}, sums);
    }
  }
}

// The sums of all parts, in their order, at their places in [out, in, taps].
void collect(const Plan& p, const float* sums, int64_t shares, int threads, float* dweights) {
  const int64_t taps = p.shape.taps();
  const int64_t blocks = tile_pairs(p.shape.in);
  parallel_for(tile_pairs(p.shape.out), 1, threads, [&](int64_t o, int64_t) {
    for (int64_t i = 0; i < std::min(p.shape.out - o * kTilePair, kTilePair); ++i) {
      for (int64_t c = 0; c < blocks; ++c) {
        const int64_t columns = std::min(p.shape.in - c * kTilePair, kTilePair);
        float* to = dweights + ((o * kTilePair + i) * p.shape.in + c * kTilePair) * taps;
        for (int64_t tap = 0; tap < taps; ++tap) {
          const float* from = sums + ((o * blocks + c) * taps + tap) * kBlock + i * kTilePair;
          for (int64_t j = 0; j < columns; ++j) {
            float sum = from[j];
            for (int64_t part = 1; part < shares; ++part) sum += from[part * p.sums() + j];
            to[j * taps + tap] = sum;
          }
        }
      }
    }
  });
}

}  // namespace

int64_t bf16_weight_gradient_scratch(const Bf16ConvShape& shape, int threads) {
  const Plan plan(shape, threads);
  return plan.shares(threads) * (plan.x_numbers() + plan.dy_numbers());
}

int64_t bf16_weight_gradient_sums(const Bf16ConvShape& shape, int threads) {
  const Plan plan(shape, threads);
  return plan.shares(threads) * plan.sums();
}

void bf16_weight_gradient(std::span<const float> x, std::span<const float> dy, const Bf16ConvShape& shape, int threads,
                          std::span<Bf16> scratch, std::span<float> sums, std::span<float> dweights) {
  const Plan plan(shape, threads);
  const int64_t shares = plan.shares(threads);
  parallel_for(shares, 1, threads, [&](int64_t part, int64_t) {
    const TileScope scope;
    float* own = sums.data() + part * plan.sums();
    std::fill_n(own, plan.sums(), 0.0F);
    add_images(plan, x.data(), dy.data(), plan.groups() * part / shares, plan.groups() * (part + 1) / shares,
               scratch.data() + part * (plan.x_numbers() + plan.dy_numbers()), own);
  });
  collect(plan, sums.data(), shares, threads, dweights.data());
}

}  // namespace orthant
