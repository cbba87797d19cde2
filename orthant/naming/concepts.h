#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/words/word_table.h"

namespace orthant::naming {

// What items may be said to be: how far each concept goes with each item, as any scores. What is not stored is 0.
struct Concepts {
  std::vector<std::string> names;             // [V]
  std::variant<Matrix, SparseMatrix> scores;  // [N, V]
};

// Classes as concepts, 1 for an item of the class; items without a label have none. Classes without a name are called
// by their number. std::invalid_argument if no item has a label.
Concepts label_concepts(std::span<const int64_t> labels, std::span<const std::string> class_names);

// Every value of every factor as a concept, "shape 2", of `items` items. std::invalid_argument without factors.
Concepts factor_concepts(std::span<const Factor> factors, int64_t items);

// Words as concepts, 1 for an item whose text has the word. std::invalid_argument for a table without words.
Concepts word_concepts(const words::WordTable& table);

// Named vectors [V, F] in the space of the items' vectors [N, F] as concepts: their cosines. Takes 4 N V bytes.
// std::invalid_argument, naming what is wrong, for sizes that do not fit, names that are empty or there twice, and rows
// that are zero or not finite.
Concepts vector_concepts(const Features& items, const std::string& items_name, const Features& vectors,
                         std::vector<std::string> names, const std::string& vectors_name, const std::string& names_name,
                         int threads = 0);

}  // namespace orthant::naming
