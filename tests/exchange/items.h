#pragma once

#include <map>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/rng.h"

namespace orthant::test {

// Rows of a matrix as a reader of a file sees them: by column.
using Rows = std::vector<std::map<int64_t, float>>;

inline Rows rows_of(const Embeddings& embeddings) {
  Rows rows(static_cast<size_t>(embeddings.rows()));
  const bool sparse = embeddings.sparse();
  const Matrix dense =
      sparse ? std::get<SparseMatrix>(embeddings.features).to_dense() : std::get<Matrix>(embeddings.features);
  for (int64_t i = 0; i < dense.rows(); ++i) {
    for (int64_t j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) != 0) rows[static_cast<size_t>(i)][j] = dense(i, j);
    }
  }
  return rows;
}

// Sparse rows with ids and labels that are awkward in every format; row 3 is empty, one label is missing.
inline Embeddings awkward_items(bool negative = false) {
  constexpr int64_t kRows = 40;
  constexpr int64_t kCols = 12;
  Matrix x(kRows, kCols);
  Rng rng(7);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kCols; ++j) {
      const auto value = static_cast<float>(rng.uniform());
      if (i != 3 && value > 0.6F) x(i, j) = (negative && j % 4 == 0 ? -1.0F : 1.0F) * value * value;
    }
  }
  x(5, 2) = 1e-7F;
  x(6, 2) = 123456.79F;
  Embeddings items;
  items.features = SparseMatrix::from_dense(x);
  items.class_names = {"cat", "a \"dog\", a\\b\tc\n", "\xd0\xb6\xd1\x83\xd0\xba"};
  for (int64_t i = 0; i < kRows; ++i) {
    items.labels.push_back(i == 9 ? -1 : i % 3);
    items.ids.push_back(i == 1   ? "with \"quotes\", commas and \\"
                        : i == 2 ? "\xe5\x9b\xbe/picture 2.png"
                                 : "item" + std::to_string(i));
  }
  for (int64_t j = 0; j < kCols; ++j) items.feature_names.push_back(j == 4 ? "" : "name." + std::to_string(j));
  items.feature_names[5] = "name_6";  // what "name.6" becomes without its dot
  items.feature_names[7] = "a name of more than thirty characters";
  return items;
}

}  // namespace orthant::test
