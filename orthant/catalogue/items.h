#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant::catalogue {

// The N items that all runs of one page show, in the order of the embeddings' rows.
struct Items {
  DatasetPtr pictures;           // null: no pictures. That of item i is pictures->image(rows[i])
  std::vector<int64_t> rows;     // [N] where there are pictures, otherwise empty
  std::vector<std::string> ids;  // [N], valid UTF-8; the row's number where nothing else is known
  // [N]: what is written of each item, such as captions, or the items themselves; valid UTF-8. Empty: no texts.
  std::vector<std::vector<std::string>> texts;
  std::vector<std::vector<Linked>> links =
      {};                            // [N]: of nodes of a graph, the others they are linked to; empty: no graph
  std::vector<int64_t> labels;       // [N], -1: unknown; empty: none at all
  std::vector<std::string> classes;  // names by label, valid UTF-8; every label is below their number
  std::string spec;                  // how the data set was named: "cifar10:DIR"; empty: not known
  std::string split;                 // "test"; empty: not known

  int64_t size() const { return static_cast<int64_t>(ids.size()); }

  // Whether the pictures show sounds, which pictures->sound(rows[i]) has.
  bool has_sounds() const { return pictures != nullptr && pictures->info().sound; }

  // The class of item i; -1 if it has none.
  int64_t label(int64_t i) const { return labels.empty() ? -1 : labels[static_cast<size_t>(i)]; }

  // Throws std::invalid_argument that names the part whose length does not fit, or a label or row that is out of range.
  void validate() const;
};

}  // namespace orthant::catalogue
