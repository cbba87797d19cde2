#include "learn/loss/shared_infonce.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/loss/tile.h"
#include "orthant/core/threads.h"

namespace orthant::loss {
namespace {

constexpr int64_t kLargestTile = 256;  // with its operands it stays within a usual second-level cache

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

class Comparison {
 public:
  Comparison(const SharedRows& rows, double temperature, int threads)
      : rows_(rows),
        temperature_(temperature),
        threads_(resolve_threads(threads)),
        size_(std::clamp<int64_t>(round_up((rows.own_rows() + 7) / 8, 2 * kTileLanes), 2 * kTileLanes, kLargestTile)),
        tiles_(static_cast<size_t>(threads_) * static_cast<size_t>(size_ * size_)) {}

  // Where one of this process's rows stands among all.
  int64_t place(int64_t own_row) const {
    return own_row / rows_.own.count * rows_.all.images() + rows_.own.first + own_row % rows_.own.count;
  }
  int64_t padded_rows() const { return round_up(rows_.all.rows, size_); }
  int64_t padded_own() const { return round_up(rows_.own_rows(), size_); }

  // Calls visit(first own row, first row, tile) for all tiles; those of the same own rows one after the other, in
  // order, on one thread.
  template <class Visit>
  void for_each_tile(const Visit& visit) {
    const int64_t blocks = padded_own() / size_;
#pragma omp parallel num_threads(threads_)
    {
      omp_set_num_threads(1);  // of this thread's task alone: the products inside a tile stay on one thread
      float* values = tiles_.data() + omp_get_thread_num() * size_ * size_;
#pragma omp for schedule(dynamic, 1)
      for (int64_t block = 0; block < blocks; ++block) {
        const int64_t own = block * size_;
        for (int64_t first = 0; first < rows_.all.rows; first += size_) {
          const Tile tile{values, std::min(size_, rows_.own_rows() - own), std::min(size_, rows_.all.rows - first),
                          size_};
          compare(own, first, tile);
          visit(own, first, tile);
        }
      }
    }
  }

  template <class Visit>
  void for_each_other_view(int64_t own_row, const Visit& visit) const {
    const int64_t row = place(own_row);
    for (int64_t other = row % rows_.all.images(); other < rows_.all.rows; other += rows_.all.images()) {
      if (other != row) visit(other, dot(unit_row(row), unit_row(other)) / temperature_);
    }
  }

  std::span<const float> unit_row(int64_t row) const {
    return rows_.unit.subspan(static_cast<size_t>(row * rows_.all.dims), static_cast<size_t>(rows_.all.dims));
  }

 private:
  // Similarities, pairs of one image masked.
  void compare(int64_t own, int64_t first, const Tile& tile) const {
    const auto dims = static_cast<int>(rows_.all.dims);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(tile.rows), static_cast<int>(tile.cols), dims,
                static_cast<float>(1 / temperature_), rows_.own_unit.data() + own * rows_.all.dims, dims,
                rows_.unit.data() + first * rows_.all.dims, dims, 0.0f, tile.values, static_cast<int>(tile.stride));
    const int64_t images = rows_.all.images();
    for (int64_t i = 0; i < tile.rows; ++i) {
      float* row = tile.values + i * tile.stride;
      const int64_t ahead = (place(own + i) - first) % images;
      for (int64_t j = ahead < 0 ? ahead + images : ahead; j < tile.cols; j += images) row[j] = kMasked;
      std::fill(row + tile.cols, row + round_up(tile.cols, kTileLanes), kMasked);
    }
  }

  const SharedRows& rows_;
  double temperature_;
  int threads_;
  int64_t size_;
  std::vector<float> tiles_;  // one per thread
};

}  // namespace

void shared_row_sums(const SharedRows& rows, double temperature, std::span<RowSums> sums, int threads) {
  Comparison comparison(rows, temperature, threads);
  std::vector<float> peaks(static_cast<size_t>(comparison.padded_own()), kMasked);
  std::vector<double> negatives(peaks.size());
  comparison.for_each_tile([&](int64_t own, int64_t /*first*/, const Tile& tile) {
    const auto at = static_cast<size_t>(own);
    add_rows(tile, {std::span(peaks).subspan(at), std::span(negatives).subspan(at)});
  });
  // loss = log(1 + N / P) = log(1 + e^gap), as in info_nce().
  for (int64_t i = 0; i < rows.own_rows(); ++i) {
    const auto at = static_cast<size_t>(i);
    double peak = -INFINITY;
    comparison.for_each_other_view(i, [&](int64_t, double similarity) { peak = std::max(peak, similarity); });
    double sum = 0;
    comparison.for_each_other_view(i, [&](int64_t, double similarity) { sum += std::exp(similarity - peak); });
    const double log_positive = peak + std::log(sum);
    const double gap = static_cast<double>(peaks[at]) + std::log(negatives[at]) - log_positive;
    const double loss = gap > 0 ? gap + std::log1p(std::exp(-gap)) : std::log1p(std::exp(gap));
    sums[at] = {log_positive + loss, log_positive, loss};
  }
}

void shared_gradient(const SharedRows& rows, double temperature, std::span<const RowSums> sums,
                     std::span<float> gradient, int threads) {
  Comparison comparison(rows, temperature, threads);
  const Batch& all = rows.all;
  const double scale = 1 / (static_cast<double>(all.rows) * temperature);
  std::vector<float> totals(static_cast<size_t>(comparison.padded_rows()));
  std::vector<float> own_totals(static_cast<size_t>(comparison.padded_own()));
  for (size_t i = 0; i < sums.size(); ++i) totals[i] = static_cast<float>(sums[i].log_total);
  for (int64_t i = 0; i < rows.own_rows(); ++i) {
    own_totals[static_cast<size_t>(i)] = totals[static_cast<size_t>(comparison.place(i))];
  }
  std::ranges::fill(gradient, 0.0f);
  comparison.for_each_tile([&](int64_t own, int64_t first, const Tile& tile) {
    exponentiate(tile, std::span(own_totals).subspan(static_cast<size_t>(own)),
                 std::span(totals).subspan(static_cast<size_t>(first)));
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(tile.rows), static_cast<int>(all.dims),
                static_cast<int>(tile.cols), static_cast<float>(scale), tile.values, static_cast<int>(tile.stride),
                rows.unit.data() + first * all.dims, static_cast<int>(all.dims), 1.0f, gradient.data() + own * all.dims,
                static_cast<int>(all.dims));
  });
  // What positives add, as in info_nce().
  const auto weight = [&](int64_t row, double similarity) {
    const RowSums& sum = sums[static_cast<size_t>(row)];
    return std::exp(similarity - sum.log_positive) * std::expm1(-sum.loss);
  };
  for (int64_t i = 0; i < rows.own_rows(); ++i) {
    float* g = gradient.data() + i * all.dims;
    comparison.for_each_other_view(i, [&](int64_t other, double similarity) {
      const auto w = static_cast<float>(scale * (weight(comparison.place(i), similarity) + weight(other, similarity)));
      const auto u = comparison.unit_row(other);
      for (int64_t k = 0; k < all.dims; ++k) g[k] += w * u[static_cast<size_t>(k)];
    });
  }
}

}  // namespace orthant::loss
