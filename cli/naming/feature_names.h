#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::cli {

// Where names of a run's features, or of those of a file, are kept.
std::string names_file(const std::string& input);

// What the features of a run or a file are called, a text for each.
struct FeatureNames {
  std::vector<std::string> given = {};  // by a person, or by their column; empty text: none
  std::vector<std::string> shown = {};  // the same, or else a proposed name that is above chance, with a question mark

  bool any() const;
};

// Of embeddings read from `input`. IoError for a file of names that cannot be read.
FeatureNames feature_names(const std::string& input, const Embeddings& embeddings);

}  // namespace orthant::cli
