#include "orthant/catalogue/sample.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"

namespace orthant::catalogue {
namespace {

Items items_at(const Items& all, std::span<const int64_t> rows) {
  Items items;
  items.pictures = all.pictures;
  items.classes = all.classes;
  items.spec = all.spec;
  items.split = all.split;
  for (const int64_t row : rows) {
    const auto at = static_cast<size_t>(row);
    items.ids.push_back(all.ids[at]);
    if (!all.labels.empty()) items.labels.push_back(all.labels[at]);
    if (!all.texts.empty()) items.texts.push_back(all.texts[at]);
    if (!all.rows.empty()) items.rows.push_back(all.rows[at]);
  }
  return items;
}

Embeddings features_at(const Features& all, std::span<const int64_t> rows) {
  Embeddings embeddings;
  const auto count = static_cast<int64_t>(rows.size());
  if (const Matrix* dense = all.dense()) {
    Matrix chosen(count, all.cols());
    for (int64_t i = 0; i < count; ++i) {
      std::ranges::copy(dense->row(rows[static_cast<size_t>(i)]), chosen.mutable_row(i).begin());
    }
    embeddings.features = std::move(chosen);
    return embeddings;
  }
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (const int64_t row : rows) {
    const auto entries = all.sparse()->row(row);
    indices.insert(indices.end(), entries.indices.begin(), entries.indices.end());
    values.insert(values.end(), entries.values.begin(), entries.values.end());
    indptr.push_back(static_cast<int64_t>(values.size()));
  }
  embeddings.features = SparseMatrix(count, all.cols(), std::move(indptr), std::move(indices), std::move(values));
  return embeddings;
}

}  // namespace

std::vector<int64_t> even_sample(int64_t total, int64_t count) {
  check(count >= 1 && count <= total, "[sample] expected from 1 to ", total, " items, got ", count);
  Rng rng(0);
  std::vector<int64_t> rows;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t begin = total / count * k + total % count * k / count;
    const int64_t end = total / count * (k + 1) + total % count * (k + 1) / count;
    rows.push_back(begin + static_cast<int64_t>(rng.below(static_cast<uint64_t>(end - begin))));
  }
  return rows;
}

Embeddings sampled(const Embeddings& embeddings, std::span<const int64_t> rows) {
  Embeddings some = features_at(embeddings, rows);
  some.class_names = embeddings.class_names;
  some.how = embeddings.how;
  for (const int64_t row : rows) {
    if (!embeddings.labels.empty()) some.labels.push_back(embeddings.labels[static_cast<size_t>(row)]);
  }
  for (const Factor& factor : embeddings.factors) {
    Factor& own = some.factors.emplace_back(Factor{factor.name, factor.values, {}, factor.period});
    for (const int64_t row : rows) own.classes.push_back(factor.classes[static_cast<size_t>(row)]);
  }
  return some;
}

std::vector<std::unique_ptr<Catalogue>> sampled(std::span<const Catalogue* const> runs, std::span<const int64_t> rows,
                                                const CatalogueOptions& options) {
  check(!runs.empty(), "[sample] expected at least one run, got none");
  const auto items = std::make_shared<const Items>(items_at(runs.front()->items(), rows));
  std::vector<std::unique_ptr<Catalogue>> result;
  for (const Catalogue* run : runs) {
    result.push_back(std::make_unique<Catalogue>(run->record(), features_at(run->matrix(), rows), items, options));
  }
  return result;
}

}  // namespace orthant::catalogue
