#pragma once

#include <string>
#include <variant>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/factorize/target.h"

namespace orthant::cli {

// What `orthant factorize` was given: a matrix, or a graph as its matrix of edge weights.
struct FactorizeInput {
  factorize::Target target;
  Embeddings rows;  // ids, labels, factors of the rows; its features are not set
  bool graph = false;
};

// Reads .npy, .npz and .safetensors as a matrix and everything else as an edge list, told by content. IoError as those
// readers say.
FactorizeInput read_factorize_input(const std::string& path);

// A factor as the tools after this exchange it: float32, sparse where most of it is zero. std::invalid_argument if a
// value does not fit float32.
std::variant<Matrix, SparseMatrix> to_features(const Matrix64& factor);

// Writes node, community and strength of each row of w as tab-separated text with a header; rows without ids are named
// by their number.
void write_communities(const std::string& path, const std::vector<std::string>& ids, const Matrix64& w);

}  // namespace orthant::cli
