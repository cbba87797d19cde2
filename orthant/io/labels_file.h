#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::io {

// Classes, and their names by number where the file has names.
struct NamedLabels {
  std::vector<int64_t> labels;
  std::vector<std::string> names;
};

// A class for each row, from an integer .npy, a file of embeddings that has labels, or text with one label per line:
// integers, or names, which are numbered in alphabetical order. A first line that is no integer while all others are
// is a title. IoError for anything else.
NamedLabels read_labels(const std::string& path);

// The same from the bytes of such a text; `path` is named in messages.
NamedLabels parse_labels(std::string_view text, const std::string& path);

// Ground truth from an integer .npy [N, K], or from a file of embeddings that has factors. IoError otherwise.
std::vector<Factor> read_factors(const std::string& path);

}  // namespace orthant::io
