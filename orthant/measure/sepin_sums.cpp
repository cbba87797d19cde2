#include "orthant/measure/sepin_sums.h"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"
#include "orthant/measure/sepin_kernels.h"

namespace orthant::measure {
namespace {

constexpr int64_t kTilesAtOnce = 16;
constexpr int64_t kMostFeaturesAtOnce = 32;
constexpr auto kTileSize = static_cast<size_t>(kSepinBlock * kSepinBlock);

// The rows of one block against those of another, from the point of view of the first.
struct Side {
  std::vector<float> products = std::vector<float>(kTileSize);
  std::vector<float> before = std::vector<float>(kTileSize);
  std::vector<float> reduced;  // [reduced rows of the block, kSepinBlock]

  std::span<float> before_row(int64_t i) {
    return std::span(before).subspan(static_cast<size_t>(i * kSepinBlock), static_cast<size_t>(kSepinBlock));
  }
};

struct Tile {
  int64_t first = 0;
  int64_t second = 0;
  Side forward;   // rows of `first` against those of `second`
  Side backward;  // the same the other way round; unused on the diagonal

  bool diagonal() const { return first == second; }
};

void multiply(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t cols, std::vector<float>& out) {
  if (a_rows == 0) return;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(a_rows), static_cast<int>(b_rows),
              static_cast<int>(cols), 1.0F, a, static_cast<int>(cols), b, static_cast<int>(cols), 0.0F, out.data(),
              static_cast<int>(kSepinBlock));
}

void transpose(const std::vector<float>& in, std::vector<float>& out) {
  constexpr int64_t kPiece = 16;
  for (int64_t i0 = 0; i0 < kSepinBlock; i0 += kPiece) {
    for (int64_t j0 = 0; j0 < kSepinBlock; j0 += kPiece) {
      for (int64_t i = i0; i < i0 + kPiece; ++i) {
        for (int64_t j = j0; j < j0 + kPiece; ++j) {
          out[static_cast<size_t>(j * kSepinBlock + i)] = in[static_cast<size_t>(i * kSepinBlock + j)];
        }
      }
    }
  }
}

class Corrections {
 public:
  Corrections(const SepinRows& rows, bool renormalise, const SepinSumsOptions& options)
      : rows_(rows),
        renormalise_(renormalise),
        options_(options),
        scale_(static_cast<float>(1 / options.temperature)),
        limit_(scale_ * 1.000001F) {
    sums_.all.resize(static_cast<size_t>(rows.rows()), 0.0);
    sums_.change = Matrix64(rows.cols(), rows.rows());
  }

  SepinSums run() {
    const int64_t blocks = rows_.blocks();
    const int64_t total = blocks * (blocks + 1) / 2;
    std::vector<Tile> tiles(static_cast<size_t>(std::min(kTilesAtOnce, total)));
    std::pair<int64_t, int64_t> next{0, 0};
    for (int64_t done = 0; done < total;) {
      const auto count = std::min(static_cast<int64_t>(tiles.size()), total - done);
      for (Tile& tile : std::span(tiles).first(static_cast<size_t>(count))) {
        std::tie(tile.first, tile.second) = next;
        next = next.second + 1 < blocks ? std::pair{next.first, next.second + 1}
                                        : std::pair{next.first + 1, next.first + 1};
      }
      work_through(std::span(tiles).first(static_cast<size_t>(count)));
      done += count;
      if (options_.progress) options_.progress(done, total);
    }
    return std::move(sums_);
  }

 private:
  void work_through(std::span<Tile> tiles) {
    parallel_for(static_cast<int64_t>(tiles.size()), 1, options_.threads, [&](int64_t begin, int64_t) {
      const OneThread one;
      compare(tiles[static_cast<size_t>(begin)]);
    });
    for (Tile& tile : tiles) {
      add_sums(tile.forward, tile.first, tile.second);
      if (!tile.diagonal()) add_sums(tile.backward, tile.second, tile.first);
    }
    const int64_t grain =
        std::clamp<int64_t>(rows_.cols() / (4 * resolve_threads(options_.threads)), 1, kMostFeaturesAtOnce);
    parallel_for(rows_.cols(), grain, options_.threads, [&](int64_t begin, int64_t end) {
      for (const Tile& tile : tiles) {
        for (int64_t feature = begin; feature < end; ++feature) correct(tile, feature);
      }
    });
  }

  const float* unit_block(int64_t block) const { return rows_.unit().row(block * kSepinBlock).data(); }

  void compare(Tile& tile) const {
    multiply(unit_block(tile.first), rows_.block_rows(tile.first), unit_block(tile.second),
             rows_.block_rows(tile.second), rows_.cols(), tile.forward.products);
    scaled_exponentials(tile.forward.products, scale_, limit_, tile.forward.before);
    for (int64_t i = 0; i < kSepinBlock; ++i) {
      const auto row = tile.forward.before_row(i);
      const int64_t filled = i < rows_.block_rows(tile.first) ? rows_.block_rows(tile.second) : 0;
      std::ranges::fill(row.subspan(static_cast<size_t>(filled)), 0.0F);
      if (filled == 0) continue;
      if (tile.diagonal()) row[static_cast<size_t>(i)] = 0;
      const int32_t partner = partner_in(tile.second, tile.first * kSepinBlock + i);
      if (partner >= 0) row[static_cast<size_t>(partner)] = 0;
    }
    compare_reduced(tile.forward, tile.first, tile.second);
    if (tile.diagonal()) return;
    transpose(tile.forward.products, tile.backward.products);
    transpose(tile.forward.before, tile.backward.before);
    compare_reduced(tile.backward, tile.second, tile.first);
  }

  void compare_reduced(Side& side, int64_t own, int64_t other) const {
    const int64_t begin = rows_.reduced_begin(own);
    const int64_t count = rows_.reduced_begin(own + 1) - begin;
    side.reduced.assign(static_cast<size_t>(count * kSepinBlock), 0.0F);
    if (count == 0) return;
    multiply(rows_.reduced().row(begin).data(), count, unit_block(other), rows_.block_rows(other), rows_.cols(),
             side.reduced);
  }

  void add_sums(Side& side, int64_t own, int64_t other) {
    for (int64_t i = 0; i < rows_.block_rows(own); ++i) {
      double sum = 0;
      for (const float x : side.before_row(i).first(static_cast<size_t>(rows_.block_rows(other)))) sum += x;
      sums_.all[static_cast<size_t>(own * kSepinBlock + i)] += sum;
    }
  }

  int32_t partner_in(int64_t block, int64_t row) const {
    const int64_t index = rows_.partner(row) - block * kSepinBlock;
    return index >= 0 && index < kSepinBlock ? static_cast<int32_t>(index) : -1;
  }

  // Every pair with a row in `first` and one in `second` that the feature's absence changes is taken by one of the two:
  // by a reduced row if there is one, because that way no digits are lost.
  void correct(const Tile& tile, int64_t feature) {
    const auto first = rows_.entries(feature, tile.first);
    const auto second = rows_.entries(feature, tile.second);
    if (renormalise_ ? first.empty() && second.empty() : first.empty() || second.empty()) return;
    SepinBlock a;
    load(tile.first, first, a);
    if (tile.diagonal()) {
      take(tile, tile.forward, true, first, a, a);
      take(tile, tile.forward, false, first, a, a);
    } else {
      SepinBlock b;
      load(tile.second, second, b);
      take(tile, tile.forward, true, first, a, b);
      take(tile, tile.backward, true, second, b, a);
      take(tile, tile.forward, false, first, a, b);
      const bool any_left = renormalise_ && static_cast<int64_t>(first.size()) < rows_.block_rows(tile.first);
      if (any_left) take(tile, tile.backward, false, second, b, a);
      add_changes(feature, tile.second, b);
    }
    add_changes(feature, tile.first, a);
  }

  void load(int64_t block, std::span<const SepinEntry> entries, SepinBlock& out) const {
    const int64_t count = rows_.block_rows(block);
    std::ranges::fill(out.value, 0.0F);
    std::ranges::fill(out.inverse, 1.0F);
    std::fill(std::fill_n(out.open, count, 1.0F), std::end(out.open), 0.0F);
    std::ranges::fill(out.change, 0.0);
    for (const SepinEntry& entry : entries) {
      out.value[entry.row % kSepinBlock] = entry.value;
      out.inverse[entry.row % kSepinBlock] = entry.inverse;
    }
  }

  void take(const Tile& tile, const Side& side, bool reduced, std::span<const SepinEntry> entries, SepinBlock& own,
            SepinBlock& other) const {
    std::array<SepinRow, static_cast<size_t>(kSepinBlock)> list;
    size_t count = 0;
    const bool forward = &side == &tile.forward;
    const int64_t begin = rows_.reduced_begin(forward ? tile.first : tile.second);
    for (const SepinEntry& entry : entries) {
      if ((entry.reduced >= 0) != reduced) continue;
      const int64_t index = entry.row % kSepinBlock;
      const float* products = reduced ? side.reduced.data() + (entry.reduced - begin) * kSepinBlock
                                      : side.products.data() + index * kSepinBlock;
      list[count++] = {.products = products,
                       .before = side.before.data() + index * kSepinBlock,
                       .value = reduced ? 0.0F : entry.value,
                       .scale = reduced ? scale_ : scale_ * entry.inverse,
                       .index = static_cast<int32_t>(index),
                       .partner = partner_in(forward ? tile.second : tile.first, entry.row)};
    }
    take_rows(std::span(list).first(count), limit_, own, other);
  }

  void add_changes(int64_t feature, int64_t block, const SepinBlock& changes) {
    double* out = sums_.change.mutable_row(feature).data() + block * kSepinBlock;
    for (int64_t i = 0; i < rows_.block_rows(block); ++i) out[i] += changes.change[i];
  }

  const SepinRows& rows_;
  const bool renormalise_;
  const SepinSumsOptions& options_;
  const float scale_;
  const float limit_;
  SepinSums sums_;
};

}  // namespace

SepinSums negative_sums(const SepinRows& rows, bool renormalise, const SepinSumsOptions& options) {
  return Corrections(rows, renormalise, options).run();
}

}  // namespace orthant::measure
