#include "learn/loss/pair_infonce.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/loss/tile.h"
#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kLargestTile = 256;  // with its operands it stays within a usual second-level cache
constexpr int64_t kGrain = 32;

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// How the items are cut into blocks; small batches get small ones, so that there are enough for several threads.
struct Blocks {
  explicit Blocks(int64_t all)
      : items(all), size(std::clamp(round_up((all + 7) / 8, 2 * kTileLanes), 2 * kTileLanes, kLargestTile)) {}

  int64_t count() const { return (items + size - 1) / size; }
  int64_t padded() const { return count() * size; }
  int64_t begin(int64_t block) const { return block * size; }
  int64_t length(int64_t block) const { return std::min(size, items - begin(block)); }

  int64_t items;
  int64_t size;
};

enum Tower : int64_t { kFirst = 0, kSecond = 1 };

class PairInfoNceOf {
 public:
  PairInfoNceOf(const Batch& batch, std::span<const float> unit, double scale, std::span<float> gradient,
                PairWorkspace& workspace)
      : batch_(batch), blocks_(batch.images()), unit_(unit), scale_(scale), gradient_(gradient), work_(workspace) {}

  PairInfoNce run() {
    std::ranges::fill(work_.peaks, kMasked);
    std::ranges::fill(work_.sums, 0.0);
    for_each_tile([this](int64_t first, int64_t second, Tile tile) {
      add_rows(tile, sums_of(kFirst, first));
      add_columns(tile, sums_of(kSecond, second));
    });
    for_each_item([this](int64_t item) { finish(item); });
    PairInfoNce result{mean_loss()};
    if (gradient_.empty()) return result;
    std::ranges::fill(gradient_, 0.0f);
    for_each_tile([this](int64_t first, int64_t second, Tile tile) { pull_tile(first, second, tile); });
    for_each_item([this](int64_t item) { pull_pair(item); });
    // The gradient of row i is the scale times what the weights make of the other rows, so that its product with the
    // row is the sum of w_ij s_ij.
    for (int64_t item = 0; item < blocks_.items; ++item) {
      const auto at = static_cast<size_t>(item * batch_.dims);
      result.by_log_scale += dot(row(kFirst, item), gradient_.subspan(at, static_cast<size_t>(batch_.dims)));
    }
    return result;
  }

 private:
  int64_t row_of(Tower tower, int64_t item) const { return tower * blocks_.items + item; }
  const float* unit_at(Tower tower, int64_t item) const { return unit_.data() + row_of(tower, item) * batch_.dims; }
  float* gradient_at(Tower tower, int64_t item) { return gradient_.data() + row_of(tower, item) * batch_.dims; }
  std::span<const float> row(Tower tower, int64_t item) const {
    return {unit_at(tower, item), static_cast<size_t>(batch_.dims)};
  }
  // Where the sums of an item are kept.
  size_t slot(Tower tower, int64_t item) const { return static_cast<size_t>(tower * blocks_.padded() + item); }
  LogSums sums_of(Tower tower, int64_t block) {
    const size_t begin = slot(tower, blocks_.begin(block));
    return {std::span(work_.peaks).subspan(begin), std::span(work_.sums).subspan(begin)};
  }
  std::span<const float> log_totals_of(Tower tower, int64_t block) const {
    return std::span(work_.log_totals).subspan(slot(tower, blocks_.begin(block)));
  }
  double similarity(int64_t item) const { return scale_ * dot(row(kFirst, item), row(kSecond, item)); }

  template <class Visit>
  void for_each_item(const Visit& visit) {
    parallel_for(blocks_.items, kGrain, work_.threads, [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) visit(item);
    });
  }

  // In every round each block of either tower meets one of the other, so that tiles of a round share no rows, and each
  // row meets the others in the order of the rounds.
  template <class Visit>
  void for_each_tile(const Visit& visit) {
#pragma omp parallel num_threads(work_.threads)
    {
      omp_set_num_threads(1);  // of this thread's task alone: the products inside a tile stay on one thread
      float* values = work_.tiles.data() + omp_get_thread_num() * blocks_.size * blocks_.size;
      for (int64_t round = 0; round < blocks_.count(); ++round) {
#pragma omp for schedule(dynamic, 1)
        for (int64_t first = 0; first < blocks_.count(); ++first) {
          const int64_t second = (first + round) % blocks_.count();
          const Tile tile{values, blocks_.length(first), blocks_.length(second), blocks_.size};
          compare(first, second, tile);
          visit(first, second, tile);
        }
      }
    }
  }

  // The similarities of two blocks, pairs masked.
  void compare(int64_t first, int64_t second, const Tile& tile) const {
    const int dims = static_cast<int>(batch_.dims);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(tile.rows), static_cast<int>(tile.cols), dims,
                static_cast<float>(scale_), unit_at(kFirst, blocks_.begin(first)), dims,
                unit_at(kSecond, blocks_.begin(second)), dims, 0.0f, tile.values, static_cast<int>(tile.stride));
    for (int64_t i = 0; i < tile.rows; ++i) {
      float* values = tile.values + i * tile.stride;
      if (first == second) values[i] = kMasked;
      std::fill(values + tile.cols, values + round_up(tile.cols, kTileLanes), kMasked);
    }
  }

  // loss = log(1 + N / P) = log(1 + e^gap), which keeps its digits where N is far smaller than P.
  void finish(int64_t item) {
    const double positive = similarity(item);
    for (const Tower tower : {kFirst, kSecond}) {
      const size_t at = slot(tower, item);
      const double gap = static_cast<double>(work_.peaks[at]) + std::log(work_.sums[at]) - positive;
      const double loss = gap > 0 ? gap + std::log1p(std::exp(-gap)) : std::log1p(std::exp(gap));
      work_.losses[at] = loss;
      work_.log_totals[at] = static_cast<float>(positive + loss);
    }
  }

  double mean_loss() const {
    return std::accumulate(work_.losses.begin(), work_.losses.end(), 0.0) / static_cast<double>(batch_.rows);
  }

  void pull_tile(int64_t first, int64_t second, const Tile& tile) {
    exponentiate(tile, log_totals_of(kFirst, first), log_totals_of(kSecond, second));
    pull(CblasNoTrans, tile, kFirst, blocks_.begin(first), unit_at(kSecond, blocks_.begin(second)));
    pull(CblasTrans, tile, kSecond, blocks_.begin(second), unit_at(kFirst, blocks_.begin(first)));
  }

  // gradient of the tower's rows from `begin` on += scale / rows weights others
  void pull(CBLAS_TRANSPOSE transpose, const Tile& tile, Tower tower, int64_t begin, const float* others) {
    const bool transposed = transpose == CblasTrans;
    const int dims = static_cast<int>(batch_.dims);
    cblas_sgemm(CblasRowMajor, transpose, CblasNoTrans, static_cast<int>(transposed ? tile.cols : tile.rows), dims,
                static_cast<int>(transposed ? tile.rows : tile.cols),
                static_cast<float>(scale_ / static_cast<double>(batch_.rows)), tile.values,
                static_cast<int>(tile.stride), others, dims, 1.0f, gradient_at(tower, begin), dims);
  }

  // What the pair itself adds: e^-loss - 1 from either side.
  void pull_pair(int64_t item) {
    const double slopes =
        std::expm1(-work_.losses[slot(kFirst, item)]) + std::expm1(-work_.losses[slot(kSecond, item)]);
    const auto w = static_cast<float>(scale_ / static_cast<double>(batch_.rows) * slopes);
    cblas_saxpy(static_cast<int>(batch_.dims), w, unit_at(kSecond, item), 1, gradient_at(kFirst, item), 1);
    cblas_saxpy(static_cast<int>(batch_.dims), w, unit_at(kFirst, item), 1, gradient_at(kSecond, item), 1);
  }

  Batch batch_;
  Blocks blocks_;
  std::span<const float> unit_;
  double scale_;
  std::span<float> gradient_;
  PairWorkspace& work_;
};

}  // namespace

PairWorkspace::PairWorkspace(const Batch& batch, int thread_count) : threads(resolve_threads(thread_count)) {
  const Blocks blocks(batch.images());
  const auto slots = static_cast<size_t>(2 * blocks.padded());
  tiles.resize(static_cast<size_t>(threads) * static_cast<size_t>(blocks.size * blocks.size));
  peaks.resize(slots);
  sums.resize(slots);
  log_totals.resize(slots);
  losses.resize(slots);
}

PairInfoNce pair_info_nce(const Batch& batch, std::span<const float> unit, double scale, std::span<float> gradient,
                          PairWorkspace& workspace) {
  return PairInfoNceOf(batch, unit, scale, gradient, workspace).run();
}

MeanCosines tower_cosines(const Batch& batch, std::span<const float> unit, std::span<double> sums) {
  const auto dims = static_cast<size_t>(batch.dims);
  const auto items = static_cast<size_t>(batch.images());
  std::ranges::fill(sums, 0.0);
  double pairs = 0;
  for (size_t item = 0; item < items; ++item) {
    const auto first = unit.subspan(item * dims, dims);
    const auto second = unit.subspan((items + item) * dims, dims);
    pairs += dot(first, second);
    for (size_t k = 0; k < dims; ++k) {
      sums[k] += static_cast<double>(first[k]);
      sums[dims + k] += static_cast<double>(second[k]);
    }
  }
  double all = 0;
  for (size_t k = 0; k < dims; ++k) all += sums[k] * sums[dims + k];
  const auto count = static_cast<double>(items);
  return {.positive = pairs / count, .negative = (all - pairs) / (count * (count - 1))};
}

}  // namespace orthant::loss
