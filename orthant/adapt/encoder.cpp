#include "orthant/adapt/encoder.h"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "orthant/adapt/kernels.h"
#include "orthant/adapt/strongest.h"
#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

struct TileCodes {
  std::vector<int64_t> counts;
  std::vector<int32_t> indices;
  std::vector<float> values;
};

// What find_all() adds to pre-activations so that everything above 0 is on.
Floats shifted_bias(const Adapter& adapter) {
  Floats bias = adapter.encoder_bias;
  for (int64_t j = 0; j < adapter.features; ++j) {
    const auto at = static_cast<size_t>(j);
    if (adapter.gate != Gate::topk) bias[at] -= adapter.thresholds[adapter.gate == Gate::jump ? at : 0];
  }
  return bias;
}

}  // namespace

int64_t tile_rows(int64_t features) {
  constexpr int64_t kFloats = int64_t{1} << 21;
  return std::clamp(kFloats / features / 16 * 16, int64_t{16}, int64_t{256});
}

void pre_activations(const Adapter& adapter, const float* rows_less_bias, int64_t rows, float* out) {
  const OneThread one;
  const auto stride = static_cast<int>(adapter.stride);
  const auto features = static_cast<int>(adapter.features);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), features, static_cast<int>(adapter.dims),
              1.0F, rows_less_bias, stride, adapter.encoder.data(), stride, 0.0F, out, features);
}

SparseMatrix encode(const Adapter& adapter, std::span<const float> x, int64_t active, int threads) {
  const int64_t rows = std::ssize(x) / adapter.stride;
  const int64_t tile = tile_rows(adapter.features);
  const bool by_rank = active > 0 || adapter.gate == Gate::topk;
  const int64_t count = std::min(active > 0 ? active : adapter.active, adapter.features);
  const Floats bias = by_rank ? adapter.encoder_bias : shifted_bias(adapter);
  std::vector<TileCodes> tiles(static_cast<size_t>((rows + tile - 1) / tile));
  parallel_for(std::ssize(tiles), 1, threads, [&](int64_t begin, int64_t end) {
    Floats less(static_cast<size_t>(tile * adapter.stride));
    Floats pre(static_cast<size_t>(tile * adapter.features));
    Strongest strongest(adapter.features);
    std::vector<Hit> hits;
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t * tile;
      // Whole tiles, so that a row's sums do not depend on how many others there are.
      const int64_t here = std::min(tile, rows - first);
      std::ranges::fill(less, 0.0F);
      for (int64_t i = 0; i < here; ++i) {
        const float* const row = x.data() + (first + i) * adapter.stride;
        for (int64_t j = 0; j < adapter.stride; ++j)
          less[static_cast<size_t>(i * adapter.stride + j)] = row[j] - adapter.bias[static_cast<size_t>(j)];
      }
      pre_activations(adapter, less.data(), tile, pre.data());
      TileCodes& codes = tiles[static_cast<size_t>(t)];
      for (int64_t i = 0; i < here; ++i) {
        hits.clear();
        const float* const values = pre.data() + i * adapter.features;
        if (by_rank) {
          strongest.find(values, bias.data(), count, count, hits);
        } else {
          strongest.find_all(values, bias.data(), 0, hits);
        }
        codes.counts.push_back(std::ssize(hits));
        for (const Hit& hit : hits) {
          const auto j = static_cast<size_t>(hit.feature);
          codes.indices.push_back(hit.feature);
          codes.values.push_back(by_rank ? hit.value : values[j] + adapter.encoder_bias[j]);
        }
      }
    }
  });
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (TileCodes& codes : tiles) {
    for (const int64_t n : codes.counts) indptr.push_back(indptr.back() + n);
    indices.insert(indices.end(), codes.indices.begin(), codes.indices.end());
    values.insert(values.end(), codes.values.begin(), codes.values.end());
    codes = {};
  }
  return {rows, adapter.features, std::move(indptr), std::move(indices), std::move(values)};
}

Floats decode(const Adapter& adapter, const SparseMatrix& codes, int threads) {
  Floats out(static_cast<size_t>(codes.rows() * adapter.stride));
  const Floats& weights = adapter.decoding();
  parallel_for(codes.rows(), 64, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const row = out.data() + i * adapter.stride;
      std::ranges::copy(adapter.bias, row);
      const auto code = codes.row(i);
      for (size_t n = 0; n < code.indices.size(); ++n) {
        add_row(row, weights.data() + code.indices[n] * adapter.stride, code.values[n], adapter.stride);
      }
    }
  });
  return out;
}

}  // namespace orthant::adapt
