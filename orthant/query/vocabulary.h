#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::query {

// What the words of a query may mean.
struct Vocabulary {
  int64_t features = 0;                    // D
  std::vector<std::string> feature_names;  // [D] or empty; empty text: no name
  std::vector<std::string> class_names;    // by label; empty: the items have no classes

  // The column that a name stands for: the feature of that name, else f0 to f(D-1) by number. std::invalid_argument
  // that names `where` and, if one is near, the feature that may have been meant.
  int64_t feature(const std::string& name, const std::string& where) const;

  // The label of a class, by its name; std::invalid_argument as above.
  int64_t label(const std::string& name, const std::string& where) const;
};

// Classes without names are called by their number.
Vocabulary vocabulary_of(const Embeddings& embeddings);

}  // namespace orthant::query
