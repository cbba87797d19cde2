#include "orthant/naming/concepts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/decompose/centre.h"
#include "orthant/decompose/dictionary.h"

namespace orthant::naming {
namespace {

// Rows with these concepts each, rising, all with score 1.
SparseMatrix ones(const std::vector<std::vector<int32_t>>& concepts, int64_t width) {
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  for (const auto& row : concepts) {
    indices.insert(indices.end(), row.begin(), row.end());
    indptr.push_back(std::ssize(indices));
  }
  std::vector<float> values(indices.size(), 1);
  return {std::ssize(concepts), width, std::move(indptr), std::move(indices), std::move(values)};
}

// The rows of vectors at unit length.
Matrix unit_rows(const Features& vectors, const std::string& name) {
  decompose::mean_direction(vectors, name);
  Matrix rows(vectors.rows(), vectors.cols());
  for (int64_t i = 0; i < vectors.rows(); ++i) decompose::centred_row(vectors, i, {}, rows.mutable_row(i));
  return rows;
}

}  // namespace

Concepts label_concepts(std::span<const int64_t> labels, std::span<const std::string> class_names) {
  std::map<int64_t, int32_t> places;
  for (const int64_t label : labels) {
    if (label >= 0) places.emplace(label, 0);
  }
  check(!places.empty(), "[labels] expected items with labels, got none");
  Concepts concepts;
  for (auto& [label, place] : places) {
    place = static_cast<int32_t>(concepts.names.size());
    const auto index = static_cast<size_t>(label);
    concepts.names.push_back(index < class_names.size() ? class_names[index] : std::to_string(label));
  }
  std::vector<std::vector<int32_t>> rows;
  for (const int64_t label : labels) {
    rows.emplace_back();
    if (label >= 0) rows.back().push_back(places.at(label));
  }
  concepts.scores = ones(rows, std::ssize(concepts.names));
  return concepts;
}

Concepts factor_concepts(std::span<const Factor> factors, int64_t items) {
  check(!factors.empty(), "[factors] expected items with factors, got none");
  Concepts concepts;
  std::vector<std::vector<int32_t>> rows(static_cast<size_t>(items));
  for (const Factor& factor : factors) {
    const auto first = static_cast<int32_t>(concepts.names.size());
    for (const float value : factor.values) concepts.names.push_back(join(factor.name, " ", value));
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(first + factor.classes[i]);
  }
  concepts.scores = ones(rows, std::ssize(concepts.names));
  return concepts;
}

Concepts word_concepts(const words::WordTable& table) {
  check(!table.words.empty(), "[words] expected words that several items have, got none");
  std::vector<std::vector<int32_t>> rows(static_cast<size_t>(table.items));
  for (size_t v = 0; v < table.places.size(); ++v) {
    for (const int32_t item : table.places[v]) rows[static_cast<size_t>(item)].push_back(static_cast<int32_t>(v));
  }
  return {.names = table.words, .scores = ones(rows, std::ssize(table.words))};
}

Concepts vector_concepts(const Features& items, const std::string& items_name, const Features& vectors,
                         std::vector<std::string> names, const std::string& vectors_name, const std::string& names_name,
                         int threads) {
  check(items.cols() == vectors.cols(), "[", vectors_name, "] expected vectors of ", items.cols(), " numbers, as ",
        items_name, " has, got ", vectors.cols());
  decompose::check_names(names, vectors.rows(), names_name, vectors_name);
  const Matrix rows = unit_rows(items, items_name);
  const Matrix words = unit_rows(vectors, vectors_name);
  Matrix scores(rows.rows(), words.rows());
  float* const out = scores.mutable_data();
  parallel_for(rows.rows(), 64, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto row = rows.row(i);
      for (int64_t v = 0; v < words.rows(); ++v) {
        const auto word = words.row(v);
        float sum = 0;
        for (size_t j = 0; j < row.size(); ++j) sum += row[j] * word[j];
        out[i * words.rows() + v] = sum;
      }
    }
  });
  return {.names = std::move(names), .scores = std::move(scores)};
}

}  // namespace orthant::naming
