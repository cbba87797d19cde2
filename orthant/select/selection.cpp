#include "orthant/select/selection.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/importance.h"

namespace orthant::select {
namespace {

constexpr const char* kFeatures = "features";  // the key in Embeddings::how

Matrix select_dense(const Matrix& from, std::span<const int64_t> columns) {
  Matrix kept(from.rows(), static_cast<int64_t>(columns.size()));
  for (int64_t i = 0; i < from.rows(); ++i) {
    const auto row = from.row(i);
    const auto out = kept.mutable_row(i);
    for (size_t k = 0; k < columns.size(); ++k) out[k] = row[static_cast<size_t>(columns[k])];
  }
  return kept;
}

SparseMatrix select_sparse(const SparseMatrix& from, std::span<const int64_t> columns) {
  std::vector<int32_t> place(static_cast<size_t>(from.cols()), -1);
  for (size_t k = 0; k < columns.size(); ++k) place[static_cast<size_t>(columns[k])] = static_cast<int32_t>(k);
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  std::vector<std::pair<int32_t, float>> entries;
  for (int64_t i = 0; i < from.rows(); ++i) {
    entries.clear();
    const auto row = from.row(i);
    for (size_t k = 0; k < row.indices.size(); ++k) {
      const int32_t to = place[static_cast<size_t>(row.indices[k])];
      if (to >= 0) entries.emplace_back(to, row.values[k]);
    }
    std::ranges::sort(entries, {}, [](const auto& entry) { return entry.first; });
    for (const auto& [column, value] : entries) {
      indices.push_back(column);
      values.push_back(value);
    }
    indptr.push_back(static_cast<int64_t>(indices.size()));
  }
  return {from.rows(), static_cast<int64_t>(columns.size()), std::move(indptr), std::move(indices), std::move(values)};
}

void scale_to_unit(std::span<float> row) {
  double sum = 0;
  for (const float x : row) sum += static_cast<double>(x) * x;
  if (sum == 0) return;
  for (float& x : row) x = static_cast<float>(x / std::sqrt(sum));
}

void renormalise(Matrix& matrix) {
  for (int64_t i = 0; i < matrix.rows(); ++i) scale_to_unit(matrix.mutable_row(i));
}

void renormalise(SparseMatrix& matrix) {
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    const auto begin = static_cast<size_t>(matrix.indptr()[static_cast<size_t>(i)]);
    scale_to_unit(matrix.mutable_values().subspan(begin, matrix.row(i).values.size()));
  }
}

}  // namespace

std::vector<int64_t> original_features(const Embeddings& embeddings) {
  std::vector<int64_t> numbers(static_cast<size_t>(embeddings.cols()));
  const auto said = embeddings.how.find(kFeatures);
  if (said == embeddings.how.end()) {
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
    return numbers;
  }
  const std::string& text = said->second;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool good = true;
  for (size_t k = 0; k < numbers.size() && good; ++k) {
    if (k > 0) good = at != end && *at++ == ',';
    const auto [next, error] = std::from_chars(at, end, numbers[k]);
    good = good && error == std::errc() && numbers[k] >= 0;
    at = next;
  }
  check(good && at == end, "[select] expected how.features to list the numbers of ", numbers.size(), " features, got '",
        text.substr(0, 60), "'");
  return numbers;
}

Embeddings select_features(const Embeddings& embeddings, std::span<const int64_t> columns,
                           const SelectionOptions& options) {
  check(!columns.empty(), "[select] expected at least one feature to keep, got none");
  std::vector<bool> seen(static_cast<size_t>(embeddings.cols()), false);
  for (const int64_t j : columns) {
    check(j >= 0 && j < embeddings.cols(), "[select] expected columns below ", embeddings.cols(), ", got ", j);
    check(!seen[static_cast<size_t>(j)], "[select] expected each column once, got ", j, " twice");
    seen[static_cast<size_t>(j)] = true;
  }
  const std::vector<int64_t> original = original_features(embeddings);
  Embeddings kept;
  kept.labels = embeddings.labels;
  kept.class_names = embeddings.class_names;
  kept.factors = embeddings.factors;
  kept.ids = embeddings.ids;
  kept.how = embeddings.how;
  if (!embeddings.feature_names.empty()) {
    for (const int64_t j : columns) kept.feature_names.push_back(embeddings.feature_names[static_cast<size_t>(j)]);
  }
  std::string list;
  for (const int64_t j : columns) {
    if (!list.empty()) list += ',';
    list += std::to_string(original[static_cast<size_t>(j)]);
  }
  kept.how[kFeatures] = list;
  if (const std::vector<float> learned = importance_of(embeddings); !learned.empty()) {
    std::vector<float> own;
    for (const int64_t j : columns) own.push_back(learned[static_cast<size_t>(j)]);
    put_importance(kept, own);
  }
  if (const auto* dense = std::get_if<Matrix>(&embeddings.features)) {
    kept.features = select_dense(*dense, columns);
  } else {
    kept.features = select_sparse(std::get<SparseMatrix>(embeddings.features), columns);
  }
  if (options.renormalise) std::visit([](auto& matrix) { renormalise(matrix); }, kept.features);
  return kept;
}

}  // namespace orthant::select
