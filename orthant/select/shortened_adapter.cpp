#include "orthant/select/shortened_adapter.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::select {
namespace {

// These of the rows of `width` floats.
adapt::Floats rows_of(const adapt::Floats& matrix, int64_t width, std::span<const int64_t> rows) {
  adapt::Floats kept;
  kept.reserve(rows.size() * static_cast<size_t>(width));
  for (const int64_t row : rows) {
    const auto begin = matrix.begin() + row * width;
    kept.insert(kept.end(), begin, begin + width);
  }
  return kept;
}

}  // namespace

adapt::Adapter shortened_adapter(const adapt::Adapter& adapter, std::span<const int64_t> features,
                                 const std::string& where) {
  check(adapter.gate != adapt::Gate::topk, "[", where,
        "] expected the gate batch or jump, which looks at each feature alone, got topk, which depends on those left "
        "out");
  for (const int64_t feature : features) {
    check(feature >= 0 && feature < adapter.features, "[", where, "] expected a model with feature ", feature,
          ", as the embeddings have, got one of ", adapter.features, " features");
  }
  adapt::Adapter kept = adapter;
  kept.features = std::ssize(features);
  kept.active = std::min(adapter.active, kept.features);
  kept.encoder = rows_of(adapter.encoder, adapter.stride, features);
  kept.encoder_bias = rows_of(adapter.encoder_bias, 1, features);
  if (!adapter.tied) kept.decoder = rows_of(adapter.decoder, adapter.stride, features);
  if (adapter.gate == adapt::Gate::jump) kept.thresholds = rows_of(adapter.thresholds, 1, features);
  return kept;
}

}  // namespace orthant::select
