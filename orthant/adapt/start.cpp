#include "orthant/adapt/start.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "orthant/adapt/align.h"
#include "orthant/adapt/encoder.h"
#include "orthant/adapt/kernels.h"
#include "orthant/core/rng.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kWeightStream = 0xff24;
constexpr uint16_t kSampleStream = 0xff25;
constexpr int64_t kSample = 1024;

// `count` rows that are learned from, at random, prepared.
Floats sample_rows(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter, int64_t count) {
  Rng rng({.seed = static_cast<uint64_t>(recipe.train.seed), .view = kSampleStream});
  Floats x(static_cast<size_t>(count * adapter.stride));
  std::vector<float> vector(static_cast<size_t>(adapter.dims));
  for (int64_t i = 0; i < count; ++i) {
    int64_t row = 0;
    do {
      row = static_cast<int64_t>(rng.below(static_cast<uint64_t>(material.vectors.rows())));
    } while (std::ranges::binary_search(material.held_out, row));
    material.vectors.read(row, 1, vector.data());
    adapter.prepare(vector, x.data() + i * adapter.stride);
  }
  return x;
}

void to_unit_length(float* row, int64_t dims) {
  double squares = 0;
  for (int64_t j = 0; j < dims; ++j) squares += static_cast<double>(row[j]) * row[j];
  if (squares == 0) row[0] = 1;
  const auto factor = static_cast<float>(squares > 0 ? 1 / std::sqrt(squares) : 1);
  for (int64_t j = 0; j < dims; ++j) row[j] *= factor;
}

Floats directions(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter) {
  const bool rows = recipe.adapter.start == "rows";
  Floats weights = rows ? sample_rows(recipe, material, adapter, adapter.features)
                        : Floats(static_cast<size_t>(adapter.features * adapter.stride));
  for (int64_t h = 0; h < adapter.features; ++h) {
    float* const row = weights.data() + h * adapter.stride;
    Rng rng(
        {.seed = static_cast<uint64_t>(recipe.train.seed), .sample = static_cast<uint64_t>(h), .view = kWeightStream});
    for (int64_t j = 0; !rows && j < adapter.dims; ++j) row[j] = static_cast<float>(rng.normal());
    to_unit_length(row, adapter.dims);
  }
  return weights;
}

// The factor of the reconstructions that brings them nearest to the rows.
double best_factor(const Adapter& adapter, const Floats& x, int threads) {
  const Floats made = decode(adapter, encode(adapter, x, adapter.active, threads), threads);
  double across = 0;
  double squares = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    across += static_cast<double>(x[i]) * static_cast<double>(made[i]);
    squares += static_cast<double>(made[i]) * static_cast<double>(made[i]);
  }
  return across > 0 && squares > 0 ? across / squares : 1;
}

}  // namespace

Gate gate_of(const std::string& method) {
  return method == "batch" ? Gate::batch : method == "jump" ? Gate::jump : Gate::topk;
}

Adapter start_adapter(const AdaptRecipe& recipe, const Material& material) {
  const auto threads = static_cast<int>(recipe.train.threads);
  Adapter adapter = Adapter::empty(material.vectors.dims(), recipe.adapter.features, gate_of(recipe.train.method),
                                   recipe.adapter.tied);
  adapter.active = recipe.adapter.active;
  adapter.decodes = recipe.objective.reconstruction > 0;
  adapter.unit_rows = recipe.adapter.normalise == "unit";
  double variance = material.statistics.variance;
  std::ranges::copy(material.statistics.mean, adapter.mean.begin());
  if (material.with_statistics) {
    adapter.mean_b.resize(static_cast<size_t>(padded(material.with->dims())));
    std::ranges::copy(material.with_statistics->mean, adapter.mean_b.begin());
  }
  const bool mapped = material.with && wants_map(recipe, material.vectors.dims(), material.with->dims());
  if (material.with && !mapped) variance = (variance + material.with_statistics->variance) / 2;
  adapter.scale = 1 / std::sqrt(variance);
  if (mapped) fit_map(recipe, material, adapter);
  adapter.encoder = directions(recipe, material, adapter);
  if (!adapter.tied) adapter.decoder = adapter.encoder;
  const Floats x = sample_rows(recipe, material, adapter, kSample);
  const double factor = best_factor(adapter, x, threads);
  const auto by = static_cast<float>(adapter.tied ? std::sqrt(factor) : factor);
  for (float& weight : adapter.encoder) weight *= by;
  if (adapter.gate == Gate::jump) {
    const SparseMatrix codes = encode(adapter, x, std::min(4 * adapter.active, adapter.features), threads);
    std::vector<float> values(codes.values().begin(), codes.values().end());
    const auto last = std::min<int64_t>(kSample * adapter.active, std::ssize(values) - 1);
    std::nth_element(values.begin(), values.begin() + last, values.end(), std::greater());
    std::ranges::fill(adapter.thresholds, values[static_cast<size_t>(last)]);
  }
  adapter.notes["data"] = recipe.data.embeddings;
  adapter.notes["method"] = recipe.train.method;
  return adapter;
}

}  // namespace orthant::adapt
