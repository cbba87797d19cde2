#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orthant/catalogue/catalogue.h"
#include "orthant/core/rng.h"

namespace orthant::test {

inline Embeddings embeddings_of(int64_t rows, int64_t cols, std::vector<float> values) {
  Embeddings embeddings;
  embeddings.features = Matrix(rows, cols, std::move(values));
  return embeddings;
}

// A share of the entries is not zero; of both signs if wanted. Every seventh column is dead, if there are as many.
inline Matrix random_features(int64_t rows, int64_t cols, double share, bool is_signed, uint64_t seed = 1) {
  Rng rng(seed);
  Matrix matrix(rows, cols);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const bool on = j % 7 != 6 && rng.bernoulli(share);
      const double value = is_signed ? rng.normal() : rng.uniform(0.1, 2);
      // Few different values, so that there are ties.
      if (on) matrix(i, j) = static_cast<float>(std::round(8 * value) / 8);
    }
  }
  return matrix;
}

inline std::shared_ptr<catalogue::Items> items_of(int64_t count, int64_t classes) {
  auto items = std::make_shared<catalogue::Items>();
  for (int64_t i = 0; i < count; ++i) {
    items->ids.push_back("id" + std::to_string(i));
    if (classes > 0) items->labels.push_back(i % 11 == 10 ? -1 : i % classes);
  }
  for (int64_t c = 0; c < classes; ++c) items->classes.push_back("class " + std::to_string(c));
  return items;
}

inline catalogue::RunRecord record_of(const std::string& name) {
  catalogue::RunRecord record;
  record.name = name;
  record.path = "runs/" + name;
  return record;
}

inline std::unique_ptr<catalogue::Catalogue> catalogue_of(Embeddings embeddings,
                                                          std::shared_ptr<const catalogue::Items> items,
                                                          const catalogue::CatalogueOptions& options = {}) {
  return std::make_unique<catalogue::Catalogue>(record_of("run"), std::move(embeddings), std::move(items), options);
}

}  // namespace orthant::test
