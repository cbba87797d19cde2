#include "learn/loss/infonce.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/loss/rounds.h"
#include "learn/loss/tile.h"
#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kLargestTile = 256;  // with its operands it stays within a usual second-level cache
constexpr int64_t kGrain = 32;

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// Small batches get small tiles, so that there are enough of them for several threads.
int64_t tile_size(const Batch& batch) {
  return std::clamp<int64_t>(round_up((batch.rows + 7) / 8, 2 * kTileLanes), 2 * kTileLanes, kLargestTile);
}

int64_t block_count(const Batch& batch) { return (batch.rows + tile_size(batch) - 1) / tile_size(batch); }

class InfoNce {
 public:
  InfoNce(const Batch& batch, std::span<const float> unit, double temperature, std::span<float> gradient,
          InfoNceWorkspace& workspace)
      : batch_(batch),
        unit_(unit),
        temperature_(temperature),
        gradient_(gradient),
        work_(workspace),
        size_(tile_size(batch)) {}

  double run() {
    std::ranges::fill(work_.peaks, kMasked);
    std::ranges::fill(work_.sums, 0.0);
    for_each_tile([this](int64_t first, int64_t second, Tile tile) { add_tile(first, second, tile); });
    parallel_for(batch_.images(), kGrain, work_.threads, [this](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) finish_image(b);
    });
    if (!gradient_.empty()) {
      std::ranges::fill(gradient_, 0.0f);
      for_each_tile([this](int64_t first, int64_t second, Tile tile) { pull_tile(first, second, tile); });
      parallel_for(batch_.images(), kGrain, work_.threads, [this](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) pull_image(b);
      });
    }
    return std::accumulate(work_.losses.begin(), work_.losses.end(), 0.0) / static_cast<double>(batch_.rows);
  }

 private:
  int64_t begin_of(int64_t block) const { return block * size_; }
  int64_t rows_of(int64_t block) const { return std::min(size_, batch_.rows - block * size_); }
  const float* unit_at(int64_t row) const { return unit_.data() + row * batch_.dims; }
  std::span<const float> unit_row(int64_t row) const { return {unit_at(row), static_cast<size_t>(batch_.dims)}; }
  LogSums sums_of(int64_t block) {
    const auto begin = static_cast<size_t>(begin_of(block));
    return {std::span(work_.peaks).subspan(begin), std::span(work_.sums).subspan(begin)};
  }
  std::span<const float> log_totals_of(int64_t block) const {
    return std::span(work_.log_totals).subspan(static_cast<size_t>(begin_of(block)));
  }
  double similarity(int64_t i, int64_t j) const { return dot(unit_row(i), unit_row(j)) / temperature_; }

  template <class Visit>
  void for_each_tile(const Visit& visit) {
    const Rounds rounds(block_count(batch_));
#pragma omp parallel num_threads(work_.threads)
    {
      omp_set_num_threads(1);  // of this thread's task alone: the products inside a tile stay on one thread
      float* values = work_.tiles.data() + omp_get_thread_num() * size_ * size_;
      for (int64_t round = 0; round < rounds.count(); ++round) {
#pragma omp for schedule(dynamic, 1)
        for (int64_t slot = 0; slot < rounds.slots(round); ++slot) {
          const auto pair = rounds.pair(round, slot);
          if (!pair) continue;
          const auto [first, second] = *pair;
          const Tile tile{values, rows_of(first), rows_of(second), size_};
          compare(first, second, tile);
          visit(first, second, tile);
        }
      }
    }
  }

  // The similarities of two blocks, pairs of one image masked.
  void compare(int64_t first, int64_t second, const Tile& tile) const {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(tile.rows), static_cast<int>(tile.cols),
                static_cast<int>(batch_.dims), static_cast<float>(1 / temperature_), unit_at(begin_of(first)),
                static_cast<int>(batch_.dims), unit_at(begin_of(second)), static_cast<int>(batch_.dims), 0.0f,
                tile.values, static_cast<int>(tile.stride));
    const int64_t images = batch_.images();
    for (int64_t i = 0; i < tile.rows; ++i) {
      float* row = tile.values + i * tile.stride;
      const int64_t ahead = (begin_of(first) + i - begin_of(second)) % images;
      for (int64_t j = ahead < 0 ? ahead + images : ahead; j < tile.cols; j += images) row[j] = kMasked;
      std::fill(row + tile.cols, row + round_up(tile.cols, kTileLanes), kMasked);
    }
  }

  void add_tile(int64_t first, int64_t second, const Tile& tile) {
    add_rows(tile, sums_of(first));
    if (first != second) add_columns(tile, sums_of(second));
  }

  template <class Visit>
  void for_each_other_view(int64_t row, const Visit& visit) const {
    for (int64_t other = row % batch_.images(); other < batch_.rows; other += batch_.images()) {
      if (other != row) visit(other);
    }
  }

  // loss = log(1 + N / P) = log(1 + e^gap), which keeps its digits where N is far smaller than P.
  void finish_image(int64_t image) {
    for (int64_t row = image; row < batch_.rows; row += batch_.images()) {
      const auto at = static_cast<size_t>(row);
      double peak = -INFINITY;
      for_each_other_view(row, [&](int64_t other) { peak = std::max(peak, similarity(row, other)); });
      double sum = 0;
      for_each_other_view(row, [&](int64_t other) { sum += std::exp(similarity(row, other) - peak); });
      const double log_positive = peak + std::log(sum);
      const double gap = static_cast<double>(work_.peaks[at]) + std::log(work_.sums[at]) - log_positive;
      const double loss = gap > 0 ? gap + std::log1p(std::exp(-gap)) : std::log1p(std::exp(gap));
      work_.log_positives[at] = log_positive;
      work_.losses[at] = loss;
      work_.log_totals[at] = static_cast<float>(log_positive + loss);
    }
  }

  void pull_tile(int64_t first, int64_t second, const Tile& tile) {
    exponentiate(tile, log_totals_of(first), log_totals_of(second));
    pull(CblasNoTrans, tile, first, second);
    if (first != second) pull(CblasTrans, tile, second, first);
  }

  // gradient of `target` += weights Z of `source` / (rows temperature)
  void pull(CBLAS_TRANSPOSE transpose, const Tile& tile, int64_t target, int64_t source) {
    const auto scale = static_cast<float>(1 / (static_cast<double>(batch_.rows) * temperature_));
    cblas_sgemm(CblasRowMajor, transpose, CblasNoTrans, static_cast<int>(rows_of(target)),
                static_cast<int>(batch_.dims), static_cast<int>(rows_of(source)), scale, tile.values,
                static_cast<int>(tile.stride), unit_at(begin_of(source)), static_cast<int>(batch_.dims), 1.0f,
                gradient_.data() + begin_of(target) * batch_.dims, static_cast<int>(batch_.dims));
  }

  // What positives add: e^(s_ij - log_total_i) - e^(s_ij - log_positive_i) = e^(s_ij - log_positive_i) (e^-loss_i - 1).
  void pull_image(int64_t image) {
    const double scale = 1 / (static_cast<double>(batch_.rows) * temperature_);
    const auto weight = [&](int64_t row, double similarity) {
      const auto at = static_cast<size_t>(row);
      return std::exp(similarity - work_.log_positives[at]) * std::expm1(-work_.losses[at]);
    };
    for (int64_t row = image; row < batch_.rows; row += batch_.images()) {
      float* g = gradient_.data() + row * batch_.dims;
      for_each_other_view(row, [&](int64_t other) {
        const double s = similarity(row, other);
        const auto w = static_cast<float>(scale * (weight(row, s) + weight(other, s)));
        const float* u = unit_at(other);
        for (int64_t k = 0; k < batch_.dims; ++k) g[k] += w * u[k];
      });
    }
  }

  Batch batch_;
  std::span<const float> unit_;
  double temperature_;
  std::span<float> gradient_;
  InfoNceWorkspace& work_;
  int64_t size_;
};

}  // namespace

InfoNceWorkspace::InfoNceWorkspace(const Batch& batch, int thread_count) : threads(resolve_threads(thread_count)) {
  const auto rows = static_cast<size_t>(batch.rows);
  const auto padded = static_cast<size_t>(block_count(batch) * tile_size(batch));
  tiles.resize(static_cast<size_t>(threads) * static_cast<size_t>(tile_size(batch) * tile_size(batch)));
  peaks.resize(padded);
  sums.resize(padded);
  log_totals.resize(padded);
  log_positives.resize(rows);
  losses.resize(rows);
}

double info_nce(const Batch& batch, std::span<const float> unit, double temperature, std::span<float> gradient,
                InfoNceWorkspace& workspace) {
  return InfoNce(batch, unit, temperature, gradient, workspace).run();
}

}  // namespace orthant::loss
