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

// The items that the embeddings (one or more, of the same items) and the data set know of. `given` labels, if not
// empty, win over those of the embeddings and of the data. Ids of embeddings are looked up in the data set; without
// ids, rows are its items in order. Without a data set, or with one of vectors, there are no pictures.
// std::invalid_argument if the rows do not fit the data set or a label is below -1 or above 9,999.
Items make_items(std::span<const NamedEmbeddings> all, const DatasetPtr& data, io::NamedLabels given = {});

}  // namespace orthant::catalogue
