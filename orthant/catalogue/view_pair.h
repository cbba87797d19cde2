#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "orthant/core/embeddings.h"

namespace orthant::catalogue {

// Two views of the same items, row by row.
struct ViewPair {
  std::shared_ptr<const Embeddings> file;  // what they borrow from
  std::variant<Matrix, SparseMatrix> first;
  std::variant<Matrix, SparseMatrix> second;
  bool first_is_features = false;  // `first` is empty then
};

// From a file of the second views, or from one of embeddings that says it holds two views of each item, as
// `orthant embed --views 2` writes it. std::invalid_argument if it is neither, seen from features of rows x cols;
// IoError if it is no file of embeddings.
ViewPair read_view_pair(const std::string& path, int64_t rows, int64_t cols);

}  // namespace orthant::catalogue
