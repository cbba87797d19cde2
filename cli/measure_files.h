#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::cli {

// The file of embeddings that `path` means: itself, or if it is the folder of a run, what `orthant embed` writes into
// it by default. std::invalid_argument that says what to run if that is missing.
std::string embeddings_path(const std::string& path);

// Classes, and their names by number where the file has names.
struct NamedLabels {
  std::vector<int64_t> labels;
  std::vector<std::string> names;
};

// A class for each row, from an integer .npy, a file of embeddings that has labels, or text with one label per line:
// integers, or names, which are numbered in alphabetical order. A first line that is no integer while all others are
// is a title. IoError for anything else.
NamedLabels read_named_labels(const std::string& path);
std::vector<int64_t> read_labels(const std::string& path);

// Ground truth from an integer .npy [N, K], or from a file of embeddings that has factors. IoError otherwise.
std::vector<Factor> read_factors(const std::string& path);

// Two views of the same items, row by row.
struct ViewPair {
  std::shared_ptr<const Embeddings> file;  // what they borrow from
  std::variant<Matrix, SparseMatrix> first;
  std::variant<Matrix, SparseMatrix> second;
  bool first_is_features = false;  // `first` is empty then
};

// From a file of the second views, or from one that `orthant embed --views 2` wrote, which holds both.
// std::invalid_argument if it is neither, seen from features of rows x cols.
ViewPair read_views(const std::string& path, int64_t rows, int64_t cols);

inline Features features_of(const std::variant<Matrix, SparseMatrix>& matrix) {
  return std::visit([](const auto& held) { return Features(held); }, matrix);
}

}  // namespace orthant::cli
