#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::select {

struct SelectionOptions {
  bool renormalise = false;  // scale each row of what is kept to unit length; a zero row stays zero
};

// The embeddings with only these columns, in the order given, so that the first few of a ranked selection are a shorter
// selection. Sparse stays sparse. Labels, factors, ids and `how` are kept, and how["features"] lists the columns'
// numbers in the embeddings before any selection ("12,3,40"): a selection of a selection still names them.
// std::invalid_argument if a column is out of range or given twice, or none is given.
Embeddings select_features(const Embeddings& embeddings, std::span<const int64_t> columns,
                           const SelectionOptions& options = {});

// The number that each column had before any selection: how["features"], or 0 .. D-1 where nothing is said.
// std::invalid_argument if it says something else than D numbers.
std::vector<int64_t> original_features(const Embeddings& embeddings);

}  // namespace orthant::select
