#pragma once

#include <span>
#include <string>
#include <vector>

#include "orthant/catalogue/items.h"
#include "orthant/core/embeddings.h"
#include "orthant/data/dataset.h"
#include "orthant/io/labels_file.h"

namespace orthant::catalogue {

// Embeddings, and what to call them in messages.
struct NamedEmbeddings {
  std::string name;
  const Embeddings* embeddings = nullptr;
};

// Throws std::invalid_argument that says what differs unless all are of the same items: as many rows, and the
// same data, split, ids and labels where both say so.
void check_same_items(std::span<const NamedEmbeddings> all);

// What is known of items besides their features. Item i of `with`, if both are there, belongs to item i of `data`.
struct ItemData {
  DatasetPtr data = nullptr;  // that was embedded; null: not known
  DatasetPtr with = nullptr;  // what goes with it, such as captions; null: nothing
};

// The items that the embeddings (one or more, of the same items) and the data know of. `given` labels, if not empty,
// win over those of the embeddings and of the data. Ids of embeddings are looked up in the data; without ids on either
// side, rows are its items in order. Pictures are those of the first of the two data sets that has any, texts those of
// both. std::invalid_argument if the rows do not fit the data or a label is below -1 or above 9,999.
Items make_items(std::span<const NamedEmbeddings> all, const ItemData& data, io::NamedLabels given = {});

}  // namespace orthant::catalogue
