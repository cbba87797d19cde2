#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"

namespace orthant {

// The period of a factor whose values lie on a line.
constexpr float kLinePeriod = std::numeric_limits<float>::infinity();

// One ground-truth property of every item, for disentanglement measures: `classes[i]` is item i's value as a class
// from 0 to values.size() - 1, and `values[classes[i]]` the same as a number (or just the class index).
struct Factor {
  std::string name;
  std::vector<float> values;
  std::vector<int32_t> classes;

  // How values compare. 0: they are names without an order. kLinePeriod: they lie on a line. Otherwise on a circle,
  // where values that differ by this are the same.
  float period = 0;

  bool operator==(const Factor&) const = default;
};

// The currency of every tool after training: features [N, D], dense or sparse, with what is known of the N items.
// Each of labels, factors[k].classes and ids is either empty or holds N entries, feature_names is empty or holds D.
struct Embeddings {
  std::variant<Matrix, SparseMatrix> features;
  std::vector<int64_t> labels;           // class of each item; -1: unknown
  std::vector<std::string> class_names;  // by label; may be empty
  std::vector<Factor> factors;
  std::vector<std::string> ids;
  std::vector<std::string> feature_names;  // what a column is called, each once; empty text: it has no name
  std::map<std::string, std::string> how;  // how they were made: model, layer, activation, data, split, ...

  int64_t rows() const;
  int64_t cols() const;
  bool sparse() const { return std::holds_alternative<SparseMatrix>(features); }

  // Throws std::invalid_argument that names the part whose length does not fit, a label or factor class that is out of
  // range, or a feature's name that another has too.
  void validate() const;

  bool operator==(const Embeddings&) const = default;
};

}  // namespace orthant
