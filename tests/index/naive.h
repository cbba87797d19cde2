#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/core/rng.h"
#include "orthant/index/search.h"

namespace orthant::test {

// Random non-negative features with zeros, equal values (multiples of 1/8 if `coarse`), empty rows and equal rows.
inline Embeddings random_embeddings(int64_t rows, int64_t cols, double filled, uint64_t seed, bool coarse = false) {
  Matrix features(rows, cols);
  Rng rng(seed);
  for (int64_t i = 0; i < rows; ++i) {
    if (i % 17 == 3) continue;
    if (i % 11 == 5) {
      std::ranges::copy(features.row(i - 2), features.mutable_row(i).begin());
      continue;
    }
    for (float& x : features.mutable_row(i)) {
      if (rng.bernoulli(filled))
        x = static_cast<float>(coarse ? rng.uniform(0.1, 1) * 8 : 8 * rng.uniform(0.05, 1)) / 8;
      if (coarse) x = std::round(8 * x) / 8;
    }
  }
  Embeddings embeddings;
  embeddings.features = std::move(features);
  for (int64_t i = 0; i < rows; ++i) {
    embeddings.ids.push_back("item " + std::to_string(i));
    embeddings.labels.push_back(i % 4 == 3 ? -1 : i % 3);
  }
  embeddings.class_names = {"cat", "dog", "air plane"};
  return embeddings;
}

inline index::Query random_query(int64_t cols, double filled, uint64_t seed, bool negative) {
  index::Query query;
  Rng rng(seed);
  for (int64_t j = 0; j < cols; ++j) {
    if (!rng.bernoulli(filled)) continue;
    const auto weight = static_cast<float>(rng.uniform(0.1, 1));
    query.weights.push_back({j, negative && rng.bernoulli(0.4) ? -weight : weight});
  }
  return query;
}

struct NaiveHit {
  int64_t row;
  double score;
  bool operator==(const NaiveHit&) const = default;
};

// Every row looked at, in double precision.
inline std::vector<NaiveHit> naive_search(const Embeddings& embeddings, const index::Query& query, int64_t k,
                                          index::Metric metric, const std::function<bool(int64_t)>& wanted) {
  std::vector<NaiveHit> hits;
  double length = 0;
  for (const auto& weight : query.weights) length += double{weight.weight} * weight.weight;
  for (int64_t i = 0; i < embeddings.rows(); ++i) {
    if (!wanted(i)) continue;
    double product = 0;
    double squares = 0;
    std::vector<double> dense(static_cast<size_t>(embeddings.cols()));
    for (const auto& weight : query.weights) dense[static_cast<size_t>(weight.feature)] = double{weight.weight};
    Features(embeddings).visit_row(i, [&](int64_t j, float x) {
      squares += double{x} * x;
      product += dense[static_cast<size_t>(j)] * x;
    });
    const double lengths = std::sqrt(length) * std::sqrt(squares);
    hits.push_back({i, metric == index::Metric::dot ? product : lengths > 0 ? product / lengths : 0});
  }
  std::ranges::stable_sort(hits, [](const NaiveHit& a, const NaiveHit& b) { return a.score > b.score; });
  hits.resize(std::min(hits.size(), static_cast<size_t>(k)));
  return hits;
}

}  // namespace orthant::test
